"""Trainer: 3 epochs with validation, early stopping and checkpoints; resumed for 2 more"""

import logging
import tempfile

import lightning as L
import torch
from lightning.pytorch.callbacks import EarlyStopping, LearningRateMonitor, ModelCheckpoint
from lightning.pytorch.loggers import CSVLogger

PACKAGE = "lightning"


class Model(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.save_hyperparameters()
        self.net = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.ReLU(), torch.nn.Dropout(0.1), torch.nn.Linear(32, 1))
        self.losses = []

    def training_step(self, batch, index):
        x, y = batch
        loss = torch.nn.functional.mse_loss(self.net(x), y)
        self.log("train_loss", loss)
        self.losses.append(loss.item())
        return loss

    def validation_step(self, batch, index):
        x, y = batch
        self.log("val_loss", torch.nn.functional.mse_loss(self.net(x), y))

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), 1e-2)
        return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, 2)]


def task():
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    L.seed_everything(0)
    x = torch.randn(256, 8)
    data = torch.utils.data.TensorDataset(x, x.pow(2).sum(1, keepdim=True))
    train, held = torch.utils.data.random_split(data, [192, 64])
    loaders = (torch.utils.data.DataLoader(train, 32, shuffle=True), torch.utils.data.DataLoader(held, 64))
    model = Model()
    with tempfile.TemporaryDirectory() as directory:
        keep = ModelCheckpoint(directory, monitor="val_loss", save_last=True)
        common = dict(accelerator="cpu", enable_progress_bar=False, enable_model_summary=False, default_root_dir=directory, log_every_n_steps=1)
        trainer = L.Trainer(max_epochs=3, callbacks=[keep, EarlyStopping("val_loss", patience=5), LearningRateMonitor()],
                            logger=CSVLogger(directory), **common)
        trainer.fit(model, *loaders)
        numbers = model.losses + [trainer.callback_metrics["val_loss"].item(), keep.best_model_score.item()]
        again = Model()
        more = L.Trainer(max_epochs=5, logger=False, **common)
        more.fit(again, *loaders, ckpt_path=keep.last_model_path)
        loaded = Model.load_from_checkpoint(keep.best_model_path)
        numbers += again.losses + [loaded.net(torch.ones(1, 8)).item() if not loaded.eval() else 0.0]
    return numbers
