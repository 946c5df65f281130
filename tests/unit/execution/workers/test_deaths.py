"""A worker may die at any instant, also between the first byte of an answer and the last."""

import os
import signal
import socket
import sys
import time

import pytest

from tourney.execution.workers.pool import PoolWorkers
from tourney.execution.workers.task import EntrantSpec
from tourney.execution.workers.worker import Worker
from tourney.formats.field import Field
from tourney.game.blocks import Batch
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.games.blackjack.rules import BlackjackRules

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and socket pairs")

BLOCKS = 4_000  # whose results are more than a pipe holds


def batch_of(number: int, blocks: int) -> Batch:
    """Give a batch of blocks of one round."""
    field = Field(1, BlackjackRules(), 100, 5, 50, Secret.from_seed(3))
    keys = [BlockKey(0, number, table, 0, 1) for table in range(blocks)]
    return Batch(0, number, tuple(field.block(key, ((0, 100),), 1) for key in keys))


def kill_in_the_middle_of_its_answer(worker: Worker) -> None:
    """Wait until the answer is under way, which nobody reads, and kill the worker."""
    with socket.socket(fileno=os.dup(worker.pipe.fileno())) as pipe:
        deadline = time.monotonic() + 30
        # The first bytes say how long the answer is; it is about to wait when more are there.
        while len(pipe.recv(1000, socket.MSG_PEEK)) < 1000:
            assert time.monotonic() < deadline
            time.sleep(0.01)
    assert worker._process.pid
    os.kill(worker._process.pid, signal.SIGKILL)
    worker._process.join()


def test_a_worker_killed_in_the_middle_of_its_answer_is_replaced(bold: EntrantSpec) -> None:
    """Half an answer is none, another worker gives all of it, and a remark says so."""
    with PoolWorkers({0: bold}, "auto", 1, batches_a_task=1) as pool:
        playing = pool.play([batch_of(0, 1), batch_of(1, BLOCKS)])
        next(playing)
        kill_in_the_middle_of_its_answer(pool._workers[0])
        (second,) = playing
    assert [block.key.table for block in second.results] == list(range(BLOCKS))
    (remark,) = second.remarks
    assert remark.is_replay
    assert remark.message.startswith("a worker that had the batch died (exit status -9)")
