"""What happened to the chips: accounts, results, verdicts and digests.

Knows no cards and no rules, only who had how much and when.
"""

from tourney.game.ledger.account import Account
from tourney.game.ledger.keys import BlockKey
from tourney.game.ledger.results import (
    ENDING_CAUSES,
    MACHINE_CAUSES,
    RECORDED_CAUSES,
    UNREPEATABLE,
    BlockResult,
    Remark,
    SeatResult,
    Verdict,
    batch_digest,
    caveat,
    replay_remarks,
)

__all__ = [
    "ENDING_CAUSES",
    "MACHINE_CAUSES",
    "RECORDED_CAUSES",
    "UNREPEATABLE",
    "Account",
    "BlockKey",
    "BlockResult",
    "Remark",
    "SeatResult",
    "Verdict",
    "batch_digest",
    "caveat",
    "replay_remarks",
]
