"""SummaryWriter."""

import os
import time

from ... import _C
from ..._refuse import lacking as _lacking
from . import summary

__all__ = ["FileWriter", "SummaryWriter"]
_GRAPH, _SESSION_LOG, _RUN_METADATA = 4, 7, 8  # fields of an event


class FileWriter:
    """Events in a file of its own in a directory."""

    def __init__(self, log_dir, max_queue=10, flush_secs=120, filename_suffix=""):
        import weakref

        self._logdir = str(log_dir)
        self.event_writer = _C._EventWriter(self._logdir, filename_suffix, float(flush_secs))
        weakref.finalize(self, self.event_writer.flush)  # at exit too

    def get_logdir(self):
        """The directory."""
        return self._logdir

    def add_event(self, event, step=None, walltime=None):
        """An event: (field, bytes)."""
        self.event_writer.add_event(event[0], event[1], _step(step), walltime)

    def add_summary(self, summary, global_step=None, walltime=None):
        """A summary: made by a function of this package, or any message that serialises itself."""
        self.event_writer.add_summary(summary.SerializeToString(), _step(global_step), walltime)

    def add_graph(self, graph_profile, walltime=None):
        """A graph and the run of it: (GraphDef, RunMetadata) as bytes."""
        graph, run = graph_profile
        self.add_event((_GRAPH, graph), None, walltime)
        tagged = _C._proto([(1, "b", "step1"), (2, "b", run)])
        self.add_event((_RUN_METADATA, tagged), None, walltime)

    def add_onnx_graph(self, graph, walltime=None):
        """A graph as bytes."""
        self.add_event((_GRAPH, graph), None, walltime)

    def flush(self):
        """Puts what was added into the file."""
        self.event_writer.flush()

    def close(self):
        """Ends the file."""
        self.event_writer.close()

    def reopen(self):
        """What comes after close() goes into another file."""


def _step(step):
    return None if step is None else int(step)


class SummaryWriter:
    """Writes what happens in a run to a directory that TensorBoard shows."""

    def __init__(self, log_dir=None, comment="", purge_step=None, max_queue=10, flush_secs=120, filename_suffix=""):
        if not log_dir:
            import socket
            from datetime import datetime

            log_dir = os.path.join("runs", datetime.now().strftime("%b%d_%H-%M-%S") + "_" + socket.gethostname() + comment)
        self.log_dir = log_dir
        self.purge_step, self.max_queue, self.flush_secs, self.filename_suffix = purge_step, max_queue, flush_secs, filename_suffix
        self.file_writer = self.all_writers = None
        self._get_file_writer()
        self._default_bins = None

    @property
    def default_bins(self):
        """The edges of histograms."""
        if self._default_bins is None:
            v, positive = 1e-12, []
            while v < 1e20:
                positive.append(v)
                v *= 1.1
            self._default_bins = [-x for x in reversed(positive)] + [0] + positive
        return self._default_bins

    def _get_file_writer(self):
        if self.all_writers is None or self.file_writer is None:
            self.file_writer = FileWriter(self.log_dir, self.max_queue, self.flush_secs, self.filename_suffix)
            self.all_writers = {self.file_writer.get_logdir(): self.file_writer}
            if self.purge_step is not None:  # what an earlier run wrote from this step on is void
                start = 1
                self.file_writer.add_event((_SESSION_LOG, _C._proto([(1, "i", start)])), self.purge_step)
                self.purge_step = None
        return self.file_writer

    def get_logdir(self):
        """The directory."""
        return self.log_dir

    def _add(self, made, global_step, walltime):
        self._get_file_writer().add_summary(made, global_step, walltime)

    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None, new_style=False, double_precision=False):
        """A number."""
        self._add(summary.scalar(tag, scalar_value, new_style=new_style, double_precision=double_precision), global_step, walltime)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        """Several numbers in one chart; each has a writer of its own, in a directory below."""
        walltime = time.time() if walltime is None else walltime
        directory = self._get_file_writer().get_logdir()
        for tag, value in tag_scalar_dict.items():
            path = directory + "/" + main_tag.replace("/", "_") + "_" + tag
            if path not in self.all_writers:
                self.all_writers[path] = FileWriter(path, self.max_queue, self.flush_secs, self.filename_suffix)
            self.all_writers[path].add_summary(summary.scalar(main_tag, value), global_step, walltime)

    def add_tensor(self, tag, tensor, global_step=None, walltime=None):
        """A tensor."""
        self._add(summary.tensor_proto(tag, tensor), global_step, walltime)

    def add_histogram(self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None):
        """How values are spread."""
        self._add(summary.histogram(tag, values, [] if isinstance(bins, str) and bins == "tensorflow" else bins, max_bins), global_step, walltime)

    def add_histogram_raw(self, tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts, global_step=None, walltime=None):
        """How values are spread, from counts."""
        if len(bucket_limits) != len(bucket_counts):
            raise ValueError("len(bucket_limits) != len(bucket_counts), see the document.")
        self._add(summary.histogram_raw(tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts), global_step, walltime)

    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        """A picture."""
        self._add(summary.image(tag, img_tensor, dataformats=dataformats), global_step, walltime)

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        """Pictures, eight in a row."""
        self._add(summary.image(tag, img_tensor, dataformats=dataformats), global_step, walltime)

    def add_image_with_boxes(self, tag, img_tensor, box_tensor, global_step=None, walltime=None, rescale=1, dataformats="CHW", labels=None):
        """A picture with boxes (x1, y1, x2, y2)."""
        if labels is not None:
            labels = [labels] if isinstance(labels, str) else labels
            if len(labels) != len(box_tensor):
                labels = None
        self._add(summary.image_boxes(tag, img_tensor, box_tensor, rescale, dataformats, labels), global_step, walltime)

    def add_figure(self, tag, figure, global_step=None, close=True, walltime=None):
        """A figure of matplotlib, or several."""
        add = self.add_images if isinstance(figure, list) else self.add_image
        add(tag, summary.figure_to_image(figure, close), global_step, walltime, dataformats="NCHW" if isinstance(figure, list) else "CHW")

    def add_video(self, tag, vid_tensor, global_step=None, fps=4, walltime=None):
        """A film of dimensions (N, T, C, H, W), as a GIF."""
        self._add(summary.video(tag, vid_tensor, fps), global_step, walltime)

    def add_audio(self, tag, snd_tensor, global_step=None, sample_rate=44100, walltime=None):
        """A sound: one channel of samples from -1 to 1."""
        self._add(summary.audio(tag, snd_tensor, sample_rate=sample_rate), global_step, walltime)

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        """Text in Markdown."""
        self._add(summary.text(tag, text_string), global_step, walltime)

    def add_pr_curve(self, tag, labels, predictions, global_step=None, num_thresholds=127, weights=None, walltime=None):
        """Precision and recall of predictions."""
        self._add(summary.pr_curve(tag, labels, predictions, num_thresholds, weights), global_step, walltime)

    def add_pr_curve_raw(self, tag, true_positive_counts, false_positive_counts, true_negative_counts, false_negative_counts, precision,
                         recall, global_step=None, num_thresholds=127, weights=None, walltime=None):
        """Precision and recall, from counts."""
        self._add(summary.pr_curve_raw(tag, true_positive_counts, false_positive_counts, true_negative_counts, false_negative_counts,
                                       precision, recall, num_thresholds, weights), global_step, walltime)

    def add_mesh(self, tag, vertices, colors=None, faces=None, config_dict=None, global_step=None, walltime=None):
        """Points and triangles in space."""
        self._add(summary.mesh(tag, vertices, colors, faces, config_dict), global_step, walltime)

    def add_custom_scalars(self, layout):
        """How charts of several scalars are laid out: {category: {chart: [kind, [tags]]}}."""
        self._add(summary.custom_scalars(layout), None, None)

    def add_custom_scalars_multilinechart(self, tags, category="default", title="untitled"):
        """A chart of several scalars."""
        self.add_custom_scalars({category: {title: ["Multiline", tags]}})

    def add_custom_scalars_marginchart(self, tags, category="default", title="untitled"):
        """A chart of a scalar and its bounds: three tags."""
        if len(tags) != 3:
            raise AssertionError(f"Expected 3 tags, got {len(tags)}.")
        self.add_custom_scalars({category: {title: ["Margin", tags]}})

    def add_hparams(self, hparam_dict, metric_dict, hparam_domain_discrete=None, run_name=None, global_step=None):
        """The settings of a run and what it gave, in a directory below."""
        if not isinstance(hparam_dict, dict) or not isinstance(metric_dict, dict):
            raise TypeError("hparam_dict and metric_dict should be dictionary.")
        made = summary.hparams(hparam_dict, metric_dict, hparam_domain_discrete)
        directory = os.path.join(str(self._get_file_writer().get_logdir()), run_name or str(time.time()))
        with SummaryWriter(log_dir=directory) as writer:
            for part in made:
                writer.file_writer.add_summary(part)
            for name, value in metric_dict.items():
                writer.add_scalar(name, value, global_step)

    def add_embedding(self, mat, metadata=None, label_img=None, global_step=None, tag="default", metadata_header=None):
        """Points of many dimensions, with labels and small pictures: files for TensorBoard's projector."""
        from . import _projector

        _projector.add(self._get_file_writer().get_logdir(), summary._tensor(mat), metadata,
                       None if label_img is None else summary._tensor(label_img), global_step, tag, metadata_header)

    def add_graph(self, model, input_to_model=None, verbose=False, use_strict_trace=True):
        """The ops of a module, by the modules they are called in."""
        from . import _graph

        self._get_file_writer().add_graph(_graph.of_module(model, input_to_model, verbose))

    def add_onnx_graph(self, prototxt):
        """The graph of an ONNX file."""
        from . import _graph

        self._get_file_writer().add_onnx_graph(_graph.of_onnx(prototxt))

    def flush(self):
        """Puts what was added into the files."""
        for writer in (self.all_writers or {}).values():
            writer.flush()

    def close(self):
        """Ends the files."""
        for writer in (self.all_writers or {}).values():
            writer.close()
        self.file_writer = self.all_writers = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


FileWriter.__module__ = SummaryWriter.__module__ = "torch.utils.tensorboard.writer"
__getattr__ = _lacking("utils.tensorboard.writer")
