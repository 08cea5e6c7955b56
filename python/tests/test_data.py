"""DataLoader with workers: the order, random numbers, errors, and how workers end."""

import gc
import os
import threading
import time

import pytest
import taut as torch
from taut.utils.data import (DataLoader, Dataset, IterableDataset, StackDataset, Subset, TensorDataset, get_worker_info)


class Squares(Dataset):
    """i * i, and which worker computed it."""

    def __len__(self):
        return 10

    def __getitem__(self, i):
        info = get_worker_info()
        return i * i, -1 if info is None else info.id


class Drawn(Dataset):
    """Random numbers."""

    def __len__(self):
        return 6

    def __getitem__(self, i):
        return torch.rand(2), i


class Counting(IterableDataset):
    """0 to n - 1, divided among the workers."""

    def __init__(self, n=7):
        self.start, self.n = 0, n

    def __iter__(self):
        info = get_worker_info()
        first, step = (0, 1) if info is None else (info.id, info.num_workers)
        return iter(range(self.start + first, self.n, step))


class Failing(Dataset):
    """Sample 2 raises."""

    def __init__(self, error):
        self.error = error

    def __len__(self):
        return 4

    def __getitem__(self, i):
        if i == 2:
            raise self.error("sample 2 is bad")
        return i


def worker_threads():
    return [t for t in threading.enumerate() if t.name.startswith("taut_data_worker")]


KINDS = [dict(), dict(multiprocessing_context="fork")]


@pytest.mark.parametrize("kwargs", KINDS, ids=["threads", "processes"])
def test_batches_come_in_order_and_workers_take_turns(kwargs):
    loader = DataLoader(Squares(), batch_size=2, num_workers=3, **kwargs)
    batches = list(loader)
    assert [b[0].tolist() for b in batches] == [[0, 1], [4, 9], [16, 25], [36, 49], [64, 81]]
    assert [b[1].tolist() for b in batches] == [[0, 0], [1, 1], [2, 2], [0, 0], [1, 1]]


@pytest.mark.parametrize("kwargs", KINDS, ids=["threads", "processes"])
def test_workers_draw_the_numbers_pytorchs_workers_draw(kwargs):
    torch.manual_seed(3)
    batches = [b[0] for b in DataLoader(Drawn(), batch_size=2, num_workers=2, **kwargs)]
    wanted = [[[0.2876, 0.6863], [0.6020, 0.6949]], [[0.7470, 0.8290], [0.6825, 0.6939]],
              [[0.9360, 0.7470], [0.5583, 0.9108]]]
    assert torch.stack(batches).tolist() == [[pytest.approx(row, abs=6e-5) for row in b] for b in wanted]
    after = torch.rand(2)
    torch.manual_seed(3)
    list(DataLoader(Drawn(), batch_size=2))  # draws one seed too, then the samples
    torch.manual_seed(3)
    torch.empty((), dtype=torch.int64).random_()
    assert torch.equal(after, torch.rand(2))


def test_workers_do_not_change_what_shuffling_gives():
    orders = []
    for workers in (0, 1, 3):
        torch.manual_seed(0)
        orders.append([i for b in DataLoader(Squares(), batch_size=3, shuffle=True, num_workers=workers)
                       for i in b[0].tolist()])
    assert orders[0] == orders[1] == orders[2]


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("batch_size", [1, 2, None])
def test_an_iterable_dataset_is_divided(workers, batch_size):
    got = [x for b in DataLoader(Counting(), batch_size=batch_size, num_workers=workers)
           for x in (b.tolist() if batch_size else [b])]
    assert sorted(got) == list(range(7))


def test_what_a_worker_sets_on_its_dataset_is_its_own():
    def init(i):
        info = get_worker_info()
        info.dataset.start, info.dataset.n = 100 * i, 100 * i + 4

    dataset = Counting()
    got = sorted(x for b in DataLoader(dataset, batch_size=2, num_workers=2, worker_init_fn=init) for x in b.tolist())
    assert got == [0, 2, 101, 103]
    assert (dataset.start, dataset.n) == (0, 7)


def test_persistent_workers_stay():
    loader = DataLoader(Squares(), batch_size=5, num_workers=2, persistent_workers=True)
    first = [b[0].tolist() for b in loader]
    threads = worker_threads()
    assert [b[0].tolist() for b in loader] == first and worker_threads() == threads and len(threads) == 2
    next(iter(loader))  # an epoch that is left in the middle
    assert [b[0].tolist() for b in loader] == first
    del loader
    gc.collect()
    assert worker_threads() == []


def test_workers_end_with_the_epoch_and_when_nobody_looks():
    loader = DataLoader(Squares(), batch_size=2, num_workers=2)
    assert len(list(loader)) == 5
    assert worker_threads() == []
    batches = iter(loader)
    next(batches)
    assert len(worker_threads()) == 2
    del batches
    gc.collect()
    assert worker_threads() == []


@pytest.mark.parametrize("factor", [1, 2, 4])
def test_no_more_is_made_than_wanted(factor):
    made = []

    class Noting(Squares):
        def __len__(self):
            return 100

        def __getitem__(self, i):
            made.append(i)
            return i

    batches = iter(DataLoader(Noting(), num_workers=2, prefetch_factor=factor))
    next(batches)
    for _ in range(200):
        if len(made) >= 2 * factor + 1:
            break
        time.sleep(0.005)
    assert len(made) <= 2 * factor + 1


@pytest.mark.parametrize("kwargs", KINDS, ids=["threads", "processes"])
def test_an_exception_reaches_the_caller_with_the_workers_traceback(kwargs):
    batches = iter(DataLoader(Failing(ValueError), num_workers=2, **kwargs))
    assert [next(batches).item(), next(batches).item()] == [0, 1]
    with pytest.raises(ValueError) as caught:
        next(batches)
    text = str(caught.value)
    assert text.startswith("Caught ValueError in DataLoader worker process 0.\nOriginal Traceback (most recent call "
                           "last):\n")
    assert "in __getitem__" in text and text.endswith("ValueError: sample 2 is bad\n")
    assert next(batches).item() == 3


def test_a_key_error_keeps_its_lines():
    with pytest.raises(KeyError) as caught:
        list(DataLoader(Failing(KeyError), num_workers=1))
    assert "\nKeyError: 'sample 2 is bad'" in str(caught.value)


def test_an_exception_that_takes_more_arguments_becomes_a_runtime_error():
    class Odd(Exception):
        def __init__(self, a, b):
            super().__init__(a)

    with pytest.raises(RuntimeError, match="Caught Odd in DataLoader worker process 0"):
        list(DataLoader(Failing(lambda text: Odd(text, 1)), num_workers=1))


def test_an_exception_of_worker_init_fn_reaches_the_caller():
    def init(i):
        raise ValueError("no start")

    with pytest.raises(ValueError, match="no start"):
        list(DataLoader(Squares(), num_workers=1, worker_init_fn=init))


def test_timeout():
    release = threading.Event()

    class Waiting(Squares):
        def __getitem__(self, i):
            release.wait(10)
            return i

    batches = iter(DataLoader(Waiting(), num_workers=1, timeout=0.05))
    with pytest.raises(RuntimeError, match="DataLoader timed out after 0.05 seconds"):
        next(batches)
    release.set()


def test_a_worker_process_that_dies_is_noticed():
    class Dying(Squares):
        def __getitem__(self, i):
            os._exit(3)

    loader = DataLoader(Dying(), num_workers=1, multiprocessing_context="fork")
    with pytest.raises(RuntimeError, match=r"DataLoader worker \(pid\(s\) \d+\) exited unexpectedly"):
        list(loader)


def test_a_dataset_can_ask_for_processes():
    class Own(Squares):
        worker_processes = True

        def __getitem__(self, i):
            return os.getpid()

    pids = {b.item() for b in DataLoader(Own(), num_workers=2)}
    assert len(pids) == 2 and os.getpid() not in pids


def test_no_worker_outside_of_workers():
    assert get_worker_info() is None
    seen = []
    DataLoader(Squares(), num_workers=2, worker_init_fn=lambda i: seen.append(repr(get_worker_info())))
    list(DataLoader(Squares(), num_workers=2, worker_init_fn=lambda i: seen.append(get_worker_info())))
    assert sorted(i.id for i in seen) == [0, 1] and {i.num_workers for i in seen} == {2}
    assert seen[1].seed - seen[0].seed == seen[1].id - seen[0].id
    assert get_worker_info() is None


def test_rows_of_a_tensor_dataset_are_what_its_samples_stack_to():
    dataset = TensorDataset(torch.arange(12.0).reshape(6, 2), torch.arange(6))
    for source in (dataset, Subset(dataset, [5, 3, 1]), Subset(Subset(dataset, [5, 3, 1]), [2, 0])):
        quick = list(DataLoader(source, batch_size=2))
        slow = list(DataLoader(source, batch_size=2, collate_fn=lambda b: [torch.stack(c) for c in zip(*b)]))
        assert all(torch.equal(a, b) for q, s in zip(quick, slow) for a, b in zip(q, s)) and len(quick) == len(slow)
    x = torch.ones(4, 2, requires_grad=True)
    (batch,) = next(iter(DataLoader(TensorDataset(x), batch_size=2)))
    batch.sum().backward()
    assert x.grad.sum() == 4


def test_getitems_is_asked_for_whole_batches():
    asked = []

    class Batched(Squares):
        def __getitems__(self, indices):
            asked.append(indices)
            return [(i, 0) for i in indices]

    list(DataLoader(Batched(), batch_size=4))
    assert asked == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    with pytest.raises(ValueError, match="Nested dataset's output size mismatch. Expected 2, got 0"):
        StackDataset(type("Short", (Squares,), {"__getitems__": lambda self, i: []})(), Squares()).__getitems__([0, 1])


def test_more_samples_than_the_length_warns():
    class Longer(Counting):
        def __len__(self):
            return 2

    loader = DataLoader(Longer(3), batch_size=None)
    assert len(loader) == 2
    with pytest.warns(UserWarning, match="was reported to be 2 .*but 3 samples have been fetched"):
        list(loader)


def test_training_in_threads_with_a_loader():
    torch.manual_seed(0)
    x = torch.rand(64, 3)
    dataset = TensorDataset(x, x.sum(1, keepdim=True))
    model = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(20):
        for a, b in DataLoader(dataset, batch_size=8, shuffle=True, num_workers=2):
            optimizer.zero_grad()
            loss = ((model(a) - b) ** 2).mean()
            loss.backward()
            optimizer.step()
    assert loss.item() < 1e-2
