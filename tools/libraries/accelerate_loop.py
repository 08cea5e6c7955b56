"""Accelerator: prepare, accumulate gradients, clip, save_state and load_state; 24 batches"""

import tempfile

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed

PACKAGE = "accelerate"


def task():
    set_seed(0)
    accelerator, numbers = Accelerator(cpu=True, gradient_accumulation_steps=2), []
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
    x = torch.randn(128, 8)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, x.sum(1, keepdim=True)), 16, shuffle=True)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, torch.optim.lr_scheduler.StepLR(optimizer, 4, 0.5))
    for _ in range(3):
        for a, b in loader:
            with accelerator.accumulate(model):
                loss = torch.nn.functional.mse_loss(model(a), b)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            numbers.append(accelerator.gather(loss.detach()).mean().item())
    with tempfile.TemporaryDirectory() as directory:
        accelerator.save_state(directory)
        with torch.no_grad():
            for p in model.parameters():
                p.zero_()
        accelerator.load_state(directory)
    return numbers + [p.double().sum().item() for p in accelerator.unwrap_model(model).parameters()]
