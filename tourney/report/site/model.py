"""The data model of a published leaderboard; the site is made from it and contains it.

It has every number of the pages. Entrants are identified by their number on the board, from 1, so
that each name is stored once.
"""

from hashlib import sha256
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from tourney.config.settings import PAGE_PATTERN

VERSION: Final = 2
"""Version of this format; of older ones only the first, a single file, can be read."""

MOST_CHIPS = 1e15
MOST_SECONDS = 1e12
"""Figures of drawings are below these."""

Chips = Annotated[float, Field(description="Whole chips, or points in games without them.")]
MedianChips = Annotated[float, Field(ge=-MOST_CHIPS, le=MOST_CHIPS)]
Seconds = Annotated[float, Field(ge=0, le=MOST_SECONDS)]
EntrantId = Annotated[
    int, Field(ge=0, description="Number on the board, from 1; 0 for a hidden entrant.")
]


class SiteModel(BaseModel):
    """A part of the data, without other keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class AnchoredData(SiteModel):
    """The state of an anchor when the pages were made."""

    commitment: str
    written: str = Field(description="ISO time, UTC, by the organiser's clock.")
    stamped: str | None = Field(
        description="ISO time, UTC, by the authority's clock; null without a verified timestamp."
    )
    authority: str = Field(description="Authority of the verified timestamp; empty without one.")


class CommittedData(SiteModel):
    """The commitments of a run before play, in the format of commitments.md."""

    statements: list[str] = Field(
        description="One for the run and each extension; the SHA-256 of each is its commitment."
    )
    configuration: str | None = Field(
        description="Opening of the configuration; null if it would reveal a hidden name."
    )
    entrants: list[str] = Field(description="Openings of the entrants that are shown by name.")
    public_value: str | None = Field(description="Mixed into the shoes; null without one.")
    anchors: list[AnchoredData]

    @property
    def commitments(self) -> list[str]:
        """The SHA-256 of each statement, as 64 hex digits."""
        return [
            sha256(text.encode("utf-8", "surrogatepass")).hexdigest() for text in self.statements
        ]


class WordsData(SiteModel):
    """The nouns of the game, in the singular."""

    round: str = "round"
    dealer: str = "dealer"
    card: str = "card"
    shoe: str = "shoe"


class RunData(SiteModel):
    """The run, and the proof that its shoes were fixed before play."""

    name: str
    game: str
    rules: dict[str, str] = Field(description="Settings of the rules.")
    format: str
    tables: str = Field(description="The tables of each entrant, in words.")
    status: str
    created: str = Field(description="ISO time, UTC.")
    finished: str | None = Field(description="ISO time, UTC; null while it runs.")
    rehearsal: bool = Field(description="Whether the secret was known beforehand.")
    commitment: str = Field(description="Commitment to the secret, published before play.")
    secret: str | None = Field(description="In hexadecimal; null until it is published.")
    salt: str | None = Field(
        description="Of the commitment, in hexadecimal; null until the secret is published."
    )
    digest: str | None = Field(
        default=None,
        description="Of the whole run, in hexadecimal; null until it has finished.",
    )
    confinement: str = Field(
        description="Sandbox level of the entrants' code; empty if no entrant brought code."
    )
    versions: dict[str, str]
    bankroll: Chips = Field(description="Bankroll of each entrant at the start; 0 without chips.")
    minimum: Chips
    unit: int = Field(ge=1, description="Parts of a chip in which results are counted.")
    words: WordsData | None = Field(
        default=None,
        description="Nouns of the game for the pages; left out if they are those of card games.",
    )
    scheduled_rounds: int = Field(description="At one table.")
    measure: str = Field(description="The deciding value: bankroll, points, place or finish.")
    measure_title: str
    is_low_best: bool
    fault: str = Field(description="The cost of a verdict: lost, out or stands.")
    margin: float | None = Field(
        default=None,
        description="Difference per round up to which entrants count as practically equal.",
    )
    looks: list[int] = Field(
        default=[],
        description="Tables after which the run may stop; empty if it plays all of them.",
    )
    why_luck_stays: str = Field(
        default="",
        description="Why results are not luck-adjusted; empty if they are, or without chips.",
    )
    shares_shoes: bool | None = Field(
        default=None, description="Whether all played the same shoes; null if this does not apply."
    )
    bounds: tuple[float, float] | None = Field(
        default=None,
        description="Least and greatest result of a table for which ranks are valid.",
    )
    committed: CommittedData | None = Field(
        default=None, description="Left out if the run committed only to its secret."
    )


class PolicyData(SiteModel):
    """The hidden data, so that readers know that the rest is incomplete."""

    names: Literal["names", "handles"] = "names"
    top: int | None = Field(default=None, description="Number of rows shown; null for all.")
    sealed_until: str | None = Field(
        default=None, description="ISO time; results are hidden before it."
    )
    is_sealed: bool = False
    entrants: int = Field(description="Number of entrants, including hidden ones.")
    excluded: int = Field(
        default=0,
        description="Number of entrants that the organiser took off the board after the run; "
        "`entrants` does not count them.",
    )
    absent: int = Field(
        default=0,
        ge=0,
        description="Number of entrants without a finished table so far, whose ranks are open; "
        "`entrants` does not count them.",
    )

    @property
    def entered(self) -> int:
        """The number of entrants of the run, on the board or not."""
        return self.entrants + self.excluded + self.absent


class ColumnData(SiteModel):
    """A column of the board."""

    name: str
    title: str
    is_number: bool
    meaning: str = Field(default="", description="One sentence for readers of the board.")


class CellData(SiteModel):
    """A cell of the board: the value and its text."""

    value: str | int | float | None
    text: str


class BaselineData(SiteModel):
    """The benchmark: the calculated value of optimal play."""

    profit_per_round: Chips = Field(
        description="Value of optimal play that always bets the minimum."
    )
    wager: Chips = Field(description="The minimum.")
    from_full_shoe: bool = Field(
        default=False,
        description="Whether a shoe lasts several rounds, and the value is for a full one.",
    )


class IntervalData(SiteModel):
    """The deciding value, with its 95 % interval."""

    mean: float
    half_width: float | None


class ResultsData(SiteModel):
    """An entrant's tables, one number for each in every list, in order."""

    stage: list[int] = Field(description="From 1.")
    heat: list[int] = Field(description="From 1.")
    table: list[int] = Field(description="From 1.")
    rounds: list[int] = Field(description="Played, in all seatings.")
    net: list[int] = Field(description="Sum of the results of all rounds, in parts of a chip.")
    final: list[int] = Field(description="Bankroll in the end, in parts of a chip.")
    luck: list[int] | None = Field(
        description="Of the cards, in 2**-32 of a part of a chip; null where it is not followed."
    )
    handle: list[int] = Field(description="Wagered, in parts of a chip.")
    faults: list[int] = Field(description="1 for a table with a verdict, else 0.")
    squares: list[int] | None = Field(
        default=None,
        description="Sum of the squared results of all rounds, in squared parts of a chip; null "
        "where bankrolls do not count.",
    )
    games: list[int] | None = Field(
        default=None, description="Played to places; null where places do not count."
    )
    places: list[int] | None = Field(
        default=None, description="Twice the sum of the places in them."
    )
    shares: list[int] | None = Field(
        default=None, description="Of games won, in twelfths of a game."
    )


class FanData(SiteModel):
    """Bankrolls at sampled tables: quantiles after some rounds."""

    tables: int = Field(description="Number of sampled tables.")
    rounds: list[int]
    quantiles: dict[str, list[Chips]] = Field(description="By 5, 25, 50, 75 and 95 per cent.")


class DecisionData(SiteModel):
    """A cell of the decisions chart."""

    move: str = Field(description="Letters of a chart, or of the most frequent move.")
    best: str = Field(description="Letters of the chart compared with; empty without a chart.")
    agreed: int = Field(description="Decisions that agree with that chart.")
    seen: int = Field(description="Decisions sampled; 1 for a cell of a chart.")


class DecisionsData(SiteModel):
    """An entrant's decisions, by its hand (rows) and the dealer's shown card (columns)."""

    source: Literal["chart", "sample"]
    compared_with: str = Field(description="Name of the chart; empty without a chart.")
    columns: list[str]
    rows: list[str]
    cells: list[list[DecisionData | None]] = Field(
        description="By row; null for a cell without sampled decisions."
    )
    agreed: int
    seen: int


class MistakeData(SiteModel):
    """A decision that loses against best play, over all sampled rounds in which it was made."""

    situation: str = Field(description="Such as hard 16 against 10.")
    answer: str
    best: str
    times: int
    cost: Chips = Field(description="For each time.")
    cost_per_100: Chips = Field(description="In 100 rounds.")
    stage: int = Field(description="Of an example, from 1, as heat, table and round.")
    heat: int
    table: int
    round: int

    @property
    def place(self) -> str:
        """The place of the example, such as table 7, round 3."""
        heat = f"{self.stage}.{self.heat}." if self.stage > 1 or self.heat > 1 else ""
        return f"table {heat}{self.table}, round {self.round}"


class MistakesData(SiteModel):
    """An entrant's costliest decisions, from a sample of its tables."""

    tables: int = Field(description="Number of sampled tables.")
    rounds: int = Field(description="Number of sampled rounds.")
    judged: int = Field(description="Number of sampled decisions with known values.")
    cost_per_100: Chips = Field(description="Of all mistakes in 100 rounds.")
    half_width: float | None = Field(
        description="Of the 95 % interval of that; null for a single table."
    )
    listed: list[MistakeData] = Field(description="The costliest first, at most ten.")


class DuelData(SiteModel):
    """An entrant compared with another one on the tables that both have played."""

    rival: EntrantId
    mean: float = Field(description="Mean difference per round; positive if this one has more.")
    half_width: float | None = Field(description="Of the 95 % interval; null for a single table.")
    tables: int


class LimitsData(SiteModel):
    """The conditions of a block; with shoes and moves they determine every hand."""

    bankrolls: list[int] = Field(description="By seat, at the start, in parts of a chip.")
    minimum: int = Field(description="Least wager, in parts of a chip.")
    maximum: int = Field(description="Greatest wager, in parts of a chip.")
    rounds: int = Field(description="Largest number of rounds.")
    moves_button: bool = Field(description="Whether the first seat changes every round.")
    points: int | None = Field(description="Points that end a game; null without a limit.")


class BlockData(SiteModel):
    """The rounds of one seating at one table, in the notation of `tourney.game.hand_notation`."""

    seating: int = Field(description="From 1.")
    first_round: int
    seats: list[EntrantId]
    seat: int = Field(description="Of the entrant whose table this is, from 0.")
    rounds: list[str]
    last: list[Chips | None] = Field(description="Bankrolls in the end, in parts of a chip.")
    limits: LimitsData | None = Field(default=None, description="Null if it is hidden.")


class TableRowData(SiteModel):
    """A table of an entrant, without its hands."""

    kind: Literal["best", "worst"]
    stage: int
    heat: int
    table: int
    result: Chips
    path_rounds: list[int]
    path: list[Chips]
    is_lost: bool = Field(
        default=False,
        description="Whether its hands are missing, because replaying them gives another result.",
    )


class TableData(TableRowData):
    """A table of an entrant with published hands."""

    blocks: list[BlockData]


class VerdictData(SiteModel):
    """A fault of an entrant."""

    cause: str
    stage: int
    heat: int
    table: int
    round: int
    decision: int
    call: str
    message: str
    seen: str
    place: str
    traceback: str
    tables: int = Field(description="Number of tables with a verdict of this cause.")


class RowData(SiteModel):
    """An entrant's row of the board."""

    number: EntrantId
    name: str
    strategy: str
    group: str | None
    kind: str = Field(description="The name of its language, such as file.")
    digest: str = Field(
        default="", description="Of the source that played, in hexadecimal; empty if hidden."
    )
    cells: list[CellData] = Field(description="In the order of the columns.")
    interval: IntervalData | None
    lost: int = Field(default=0, description="Number of tables whose hands could not be replayed.")

    @property
    def is_withheld(self) -> bool:
        """Whether its identity is hidden."""
        return not self.kind


class PageData(SiteModel):
    """The page of an entrant, in addition to its row and its best and worst tables."""

    results: ResultsData | None
    fan: FanData | None
    decisions: DecisionsData | None
    mistakes: MistakesData | None = Field(
        default=None, description="Null without samples, or if the values of actions are unknown."
    )
    duels: list[DuelData]
    verdicts: list[VerdictData]


class EntrantData(PageData, RowData):
    """An entrant: its row of the board, and its page."""

    tables: list[TableData]


class HappeningData(SiteModel):
    """An event on the floor."""

    seconds: float
    event: str
    entrant: EntrantId = Field(description="0 if it concerns no entrant.")
    table: int = Field(description="From 1; 0 if it concerns no table.")
    value: int | float = Field(description="A place, a count, or the chips of a minimum.")


class FloorBlocksData(SiteModel):
    """Blocks on the floor, one value for each in every list, in the order in which they ended."""

    table: list[int] = Field(description="On the floor, from 1.")
    stage: list[int] = Field(description="From 1.")
    heat: list[int] = Field(description="From 1.")
    tournament_table: list[int] = Field(description="In its heat, from 1.")
    seats: list[list[EntrantId]]
    free: list[Seconds] = Field(description="Seconds until its table was free.")
    begin: list[Seconds] = Field(description="Seconds until its table had a dealer, after breaks.")
    play: list[Seconds] = Field(description="Seconds until its first round.")
    end: list[Seconds] = Field(description="Seconds until its end.")


class FloorRowData(SiteModel):
    """A table of the floor, or several of a large one."""

    first_table: int = Field(description="From 1.")
    last_table: int
    blocks: int
    setup_seconds: Seconds
    play_seconds: Seconds
    wait_seconds: Seconds = Field(description="Waits for a dealer, without breaks.")
    use: float = Field(description="Fraction of its time in use, by set-up and play.")
    in_use: list[Seconds] = Field(
        description="Seconds in use by interval; empty if the blocks are listed."
    )
    waiting: list[Seconds] = Field(
        description="Seconds of waits for a dealer by interval; empty if the blocks are listed."
    )


class FloorIntervalData(SiteModel):
    """An interval of time on the floor."""

    begin_seconds: Seconds
    seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)]
    tables_in_use: float = Field(description="Mean number.")
    tables_waiting: float = Field(description="Mean number that waited for a dealer.")
    break_seconds: Seconds


class FloorChartData(SiteModel):
    """Tables by time, from the log of the floor."""

    rows: list[FloorRowData]
    intervals: list[FloorIntervalData] = Field(description="Of equal length, but for the last.")
    breaks: list[tuple[Seconds, Seconds]] = Field(
        description="Begin and end of each, in seconds; empty for a list that would be too long."
    )
    blocks: FloorBlocksData | None = Field(description="Null for a list that would be too long.")
    has_single_seats: bool = Field(description="Whether some blocks seat one entrant.")


class FloorData(SiteModel):
    """The use of the floor, and its events."""

    seconds: float
    blocks: int
    rounds: int
    tables: int
    tables_used: float
    dealers: int
    dealers_used: float
    happenings: list[HappeningData]
    events_left_out: int = Field(
        default=0, ge=0, description="Number of events that a list of them all would add."
    )
    chart: FloorChartData | None = Field(
        default=None, description="Null without blocks, or if it would show hidden facts."
    )


class RaceData(SiteModel):
    """The race of the leading entrants: median bankrolls at sampled tables."""

    rounds: list[int] = Field(description="Played, from 0.")
    entrants: list[EntrantId] = Field(description="Best first.")
    tables: list[int] = Field(description="Number of sampled tables by entrant.")
    medians: list[list[MedianChips]] = Field(description="By entrant and number of rounds.")


class NoteData(SiteModel):
    """A note below the board."""

    entrant: EntrantId = Field(description="0 if it concerns no entrant.")
    text: str


class HomeData(SiteModel):
    """A page to which all pages link back, such as the home of a course."""

    address: str = Field(
        pattern=PAGE_PATTERN, description="An http address, or a path from the site's folder."
    )
    title: str = "Course home"

    def seen_from(self, root: str) -> str:
        """Return the address on a page, whose folder is `root` away from the site's folder."""
        is_whole = self.address.startswith(("http:", "https:", "/"))
        return self.address if is_whole else f"{root}{self.address}"


class BoardData(SiteModel):
    """A published leaderboard without its entrants."""

    run: RunData
    policy: PolicyData
    columns: list[ColumnData]
    floor: FloorData | None
    notes: list[NoteData] = Field(default=[], description="Facts that the columns do not show.")
    baseline: BaselineData | None = Field(
        default=None, description="Null if the value of optimal play is unknown."
    )
    race: RaceData | None = Field(
        default=None, description="Null without samples, or where no bankroll counts."
    )
    home: HomeData | None = Field(default=None, description="Null if the pages link to none.")


class SiteData(BoardData):
    """A published leaderboard."""

    version: Literal[2] = VERSION
    entrants: list[EntrantData] = Field(description="Best first.")
