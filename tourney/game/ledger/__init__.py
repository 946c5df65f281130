"""Accounts, results, verdicts and digests of blocks; independent of cards and rules."""

from tourney.game.ledger.results import (
    ENDING_CAUSES,
    MACHINE_CAUSES,
    RECORDED_CAUSES,
    UNREPEATABLE,
    Account,
    BlockKey,
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
