"""17 metrics of classification, regression, images and texts over 6 batches, forward, compute, a collection"""

import torch
import torchmetrics as tm

PACKAGE = "torchmetrics"


def task():
    several = tm.MetricCollection({
        "accuracy": tm.classification.MulticlassAccuracy(5), "f1": tm.classification.MulticlassF1Score(5), "auroc": tm.classification.MulticlassAUROC(5),
        "precision": tm.classification.MulticlassPrecision(5), "recall": tm.classification.MulticlassRecall(5),
        "kappa": tm.classification.MulticlassCohenKappa(5), "calibration": tm.classification.MulticlassCalibrationError(5),
        "map": tm.classification.MulticlassAveragePrecision(5), "confusion": tm.classification.MulticlassConfusionMatrix(5)})
    numbers = tm.MetricCollection([tm.MeanSquaredError(), tm.MeanAbsoluteError(), tm.R2Score(), tm.PearsonCorrCoef(), tm.SpearmanCorrCoef(),
                                   tm.ExplainedVariance()])
    ssim, psnr = tm.image.StructuralSimilarityIndexMeasure(data_range=1.0), tm.image.PeakSignalNoiseRatio(data_range=1.0)
    found = []
    for _ in range(6):
        found += [v.double().sum() for v in several(torch.randn(64, 5).softmax(1), torch.randint(5, (64,))).values()]
        x = torch.randn(64)
        found += list(numbers(x, x + 0.3 * torch.randn(64)).values())
        a = torch.rand(2, 3, 32, 32)
        b = (a + 0.1 * torch.randn_like(a)).clamp(0, 1)
        found += [ssim(a, b), psnr(a, b)]
    found += [v.double().sum() for v in several.compute().values()] + list(numbers.compute().values()) + [ssim.compute(), psnr.compute()]
    found.append(tm.text.WordErrorRate()(["the cat sat"], ["the cat is sat"]))
    found.append(tm.text.Perplexity()(torch.randn(2, 8, 5), torch.randint(5, (2, 8))))
    return found
