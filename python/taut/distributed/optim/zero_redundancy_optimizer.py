"""ZeroRedundancyOptimizer: each rank keeps the optimiser's state of a part of the parameters, steps these, and tells the others."""

from ...optim.optimizer import Optimizer
from .. import distributed_c10d as dist


class ZeroRedundancyOptimizer(Optimizer):
    """optimizer_class over the parameters, whose state is shared out among the ranks: whole parameters, the largest first to who has least."""

    def __init__(self, params, optimizer_class, process_group=None, parameters_as_bucket_view=False, overlap_with_ddp=False, **defaults):
        if overlap_with_ddp:
            raise NotImplementedError("ZeroRedundancyOptimizer: overlap_with_ddp=True is not supported")
        self.process_group = dist._get_default_group() if process_group is None else process_group
        self.world_size, self.rank = self.process_group.size(), self.process_group.rank()
        self._class, self._defaults = optimizer_class, defaults
        self.optim = None
        super().__init__(params, defaults)
        self._share_out()

    def _share_out(self):
        load = [0] * self.world_size
        self._owner = {}
        parts = [[] for _ in range(self.world_size)]
        for group in self.param_groups:
            mine = [[] for _ in range(self.world_size)]
            for p in sorted(group["params"], key=lambda p: p.numel(), reverse=True):
                rank = load.index(min(load))
                load[rank] += p.numel()
                self._owner[p] = rank
                mine[rank].append(p)
            for rank in range(self.world_size):
                parts[rank].append(mine[rank])
        groups = []
        for group, params in zip(self.param_groups, parts[self.rank]):
            groups.append({**{k: v for k, v in group.items() if k != "params"}, "params": params})
        self._groups = groups
        self.optim = self._class([g for g in groups if g["params"]] or [{"params": [next(iter(self._owner)).detach().clone()[:0]]}], **self._defaults)

    def add_param_group(self, param_group):
        super().add_param_group(param_group)
        if self.optim is not None:
            before = self.optim.state
            self._share_out()
            for p, state in before.items():
                if self._owner.get(p) == self.rank:
                    self.optim.state[p] = state

    def _sync_options(self):
        mine = iter(self.optim.param_groups)
        for group, own in zip(self.param_groups, self._groups):
            if own["params"]:
                next(mine).update({k: v for k, v in group.items() if k != "params"})

    def step(self, closure=None, **kwargs):
        """One step, after which all ranks have all parameters."""
        self._sync_options()
        loss = self.optim.step(closure, **kwargs) if closure is not None else self.optim.step(**kwargs)
        works = [self.process_group._broadcast(p.detach(), rank) for p, rank in self._owner.items()]
        for work in works:
            work._wait(0.0)
        return loss

    def consolidate_state_dict(self, to=0):
        """Gathers the state of all parameters on one rank."""
        order = {p: i for i, p in enumerate(p for g in self.param_groups for p in g["params"])}
        mine = {order[p]: s for p, s in self.optim.state.items() if p in order}
        everyone = [None] * self.world_size if self.rank == to else None
        dist.gather_object(mine, everyone, group=self.process_group, group_dst=to)
        self._all = {} if everyone is None else {i: s for part in everyone for i, s in part.items()}

    def state_dict(self):
        """That of the plain optimiser; after consolidate_state_dict, on that rank."""
        if not getattr(self, "_all", None):
            raise RuntimeError("Optimizer state has not been consolidated on this rank. Please call `consolidate_state_dict(to=...)` on all ranks beforehand "
                               "if you meant to save the global state.")
        count = 0
        groups = []
        for group in self.param_groups:
            n = len(group["params"])
            groups.append({**{k: v for k, v in group.items() if k != "params"}, "params": list(range(count, count + n))})
            count += n
        return {"state": dict(sorted(self._all.items())), "param_groups": groups}

    def load_state_dict(self, state_dict):
        """From a state dict of the plain optimiser: each rank takes its part."""
        params = [p for g in self.param_groups for p in g["params"]]
        for group, saved in zip(self.param_groups, state_dict["param_groups"]):
            group.update({k: v for k, v in saved.items() if k != "params"})
        self._sync_options()
        own = [p for g in self.optim.param_groups for p in g["params"]]
        place = {p: i for i, p in enumerate(params)}
        groups, at = [], 0
        for g in self.optim.param_groups:
            groups.append({**{k: v for k, v in g.items() if k != "params"}, "params": list(range(at, at + len(g["params"])))})
            at += len(g["params"])
        states = {i: state_dict["state"][place[p]] for i, p in enumerate(own) if p in place and place[p] in state_dict["state"]}
        self.optim.load_state_dict({"state": states, "param_groups": groups})
