// A Worker that runs in a hidden frame: browsers refuse real ones to pages opened from disk, and the search needs one.
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.body.appendChild(Object.assign(document.createElement("iframe"), {hidden: true}));
      const inside = this.frame.contentWindow;
      const load = (from) => new Promise((done) => {
        const script = inside.document.createElement("script");
        script.src = new URL(from, document.baseURI);
        script.onload = done;
        inside.document.body.appendChild(script);
      });
      inside.postMessage = (data) => this.answer(new MessageEvent("message", {data}));
      inside.importScripts = (...urls) => urls.reduce((before, next) => before.then(() => load(next)), Promise.resolve());
      this.loaded = load(url);
    }
    answer(event) {
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }
    postMessage(data) {
      const inside = this.frame.contentWindow;
      this.loaded.then(() => inside.dispatchEvent(new inside.MessageEvent("message", {data})));
    }
    terminate() { this.frame.remove(); }
  };
}
