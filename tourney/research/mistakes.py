"""`tourney.mistakes`: where a strategy, or an entrant of a run, loses most against best play."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from tourney.config.arguments import check_seed, check_whole
from tourney.errors import TourneyError
from tourney.execution.engine_selection import play_batch
from tourney.execution.workers.task import lineup_for
from tourney.game.cards.keys import Secret
from tourney.game.hand_history import story_of
from tourney.game.words import counted
from tourney.notebook.tables import Tabular, table_html
from tourney.plugins.loading import installed_plugins
from tourney.report.hand_tables import HandsData
from tourney.research.inputs import (
    GAME,
    LEAST,
    GameLike,
    StrategyLike,
    entrant_of,
    game_of,
    strategy_text,
)
from tourney.research.simulated_ev import (
    batches_of,
    blocks_of,
    check_faults,
    dealt_alone,
    entered_alone,
)
from tourney.standings.mistakes import PER, TOP, Mistake, MistakeCounter, Mistakes

NO_VALUES = "mistakes: this game does not know the value of actions. Use a blackjack game"
USUAL = 20_000
"""Rounds to play unless another number is named."""


@dataclass(frozen=True, slots=True, repr=False)
class FoundMistakes(Tabular):
    """The costly decisions of a strategy or of an entrant; a table in a notebook."""

    title: str
    found: Mistakes

    @property
    def cost_per_100(self) -> float:
        """Chips that all mistakes cost in 100 rounds."""
        return self.found.cost_per_100

    @property
    def half_width(self) -> float | None:
        """Half the 95 % interval of `cost_per_100`, in chips; `None` with a single block."""
        return self.found.half_width

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return a row for each listed mistake, the costliest first."""
        return [
            {**asdict(each), "example": None, **each.example._asdict()}
            for each in self.found.listed
        ]

    def __repr__(self) -> str:
        """Print a line for each listed mistake."""
        return "\n".join(mistake_lines(self.title, self.found))

    def _repr_html_(self) -> str:
        heads, rows = mistake_table(self.found.listed)
        return table_html(summary(self.title, self.found), heads, rows)


def mistakes(
    strategy: StrategyLike,
    game: GameLike = GAME,
    *,
    options: Mapping[str, object] | None = None,
    rounds: int = USUAL,
    top: int = TOP,
    minimum: int | None = None,
    seed: int | None = None,
    trust_submissions: bool = False,
) -> FoundMistakes:
    """Play a strategy alone and list its costliest decisions.

    Args:
        strategy: As for `ev`.
        game: As for `ev`; a blackjack game. Values are approximate for hands of a split, riffled
            decks and games that show both cards of the dealer. A player that only draws is
            compared with the better of hit and stand.
        options: As for `ev`.
        rounds: Rounds to play. Rare situations need many.
        top: Situations to list.
        minimum: Minimum bet in chips; by default that of the rules, or 10.
        seed: Seed of the shoes; drawn by default.
        trust_submissions: Whether a file runs without the sandbox.
    Raises: TourneyError, if the game does not know the value of actions, or the strategy fails.

    >>> mistakes("mimic", "ve280,shuffle=uniform", rounds=2000, seed=1).found.listed[0].situation
    'hard 16 against 6'
    """
    check_whole(is_needed=True, rounds=rounds, top=top)
    check_whole(minimum=minimum)
    check_seed(seed)
    registry, entrant = installed_plugins(), entrant_of(strategy, options, 1)
    text, played = game_of(game, registry)
    least = int(minimum or played.rules.minimum or LEAST)
    alone = entered_alone(played, entrant, registry, trusts_files=trust_submissions)
    story, counter = story_of(played.rules), MistakeCounter()
    secret = Secret.draw() if seed is None else Secret.from_seed(seed)
    dealt = dealt_alone(played.rules, least, secret)
    engine = "auto" if alone.confinement else "reference"
    for batch in batches_of(dealt, rounds, 0, blocks_of(rounds)):
        logs = {block.key: log for block in batch.blocks if (log := story.decision_log(1))}
        if not logs:
            raise TourneyError(NO_VALUES)
        results = play_batch(batch, lineup_for({0: alone}), engine, logs).results
        check_faults(results)
        for block in batch.blocks:
            counter.take(block.key, story.judged(logs[block.key], 0), block.rounds)
    name = strategy_text(entrant)
    title = f"{name} at {text} with a minimum of {least:,}"
    return FoundMistakes(title, counter.found(name, top))


def mistakes_of(data: HandsData, entrant: int, top: int | None = TOP) -> Mistakes:
    """Deal the hands of a stored run again and list an entrant's costliest decisions.

    Args:
        data: Hands of the run; `chosen` selects blocks in which the entrant sits.
        entrant: Its number.
        top: Situations to list; `None` for all.
    Raises: TourneyError, if the game does not know the value of actions.
    """
    story, counter = story_of(data.tournament.rules), MistakeCounter()
    if not story.decision_log(1):
        raise TourneyError(NO_VALUES)
    for block, result, log in data.logs():
        for number, seat in enumerate(block.seats):
            if seat.entrant == entrant:
                counter.take(block.key, story.judged(log, number), result.seats[number].rounds)
    return counter.found(data.tournament.labels[entrant].name, top)


def summary(title: str, found: Mistakes) -> str:
    """Return the total cost in one line."""
    spread = "" if found.half_width is None else f" ± {found.half_width:.3f} (95 %)"
    return (
        f"{title}: decisions cost {found.cost_per_100:.3f}{spread} chips per {PER} rounds against "
        f"best play ({counted(found.rounds, 'round')})"
    )


def mistake_table(listed: Sequence[Mistake]) -> tuple[list[str], list[list[str]]]:
    """Return headings and cells of a table of mistakes."""
    heads = ["Situation", "Answer", "Best", "Times", "Cost each", "Cost per 100 rounds", "Example"]
    rows = [
        [
            each.situation,
            each.answer,
            each.best,
            f"{each.times:,}",
            f"{each.cost:.3f}",
            f"{each.cost_per_100:.3f}",
            f"table {each.example.table}, round {each.example.round}",
        ]
        for each in listed
    ]
    return heads, rows


def mistake_lines(title: str, found: Mistakes) -> Iterator[str]:
    """Yield the lines of a text table."""
    from tabulate import tabulate  # noqa: PLC0415 - only where text is printed

    yield summary(title, found)
    if found.listed:
        heads, rows = mistake_table(found.listed)
        sides = ["left"] * 3 + ["right"] * 3 + ["left"]
        yield tabulate(rows, heads, disable_numparse=True, colalign=sides)
