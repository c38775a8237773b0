// A page opened from disk may start no worker, and the theme's search runs in one. So there, and
// only there, a Worker is a hidden frame that runs the worker's script, with the messages passed on.
// By this file's name the offline plugin sees that it need not add such a script from elsewhere.
if (location.protocol === "file:") {
  const say = (target, data) => target.dispatchEvent(new MessageEvent("message", { data }));

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.addEventListener("message", (event) => this.onmessage?.(event));
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = `<script src="${new URL(url, location)}"></script>`;
      this.running = new Promise((resolve) => {
        this.frame.onload = () => resolve(this.frame.contentWindow);
      });
      this.running.then((inside) => {
        inside.postMessage = (data) => say(this, data);
      });
      document.body.append(this.frame);
    }

    async postMessage(data) {
      say(await this.running, data);
    }

    terminate() {
      this.frame.remove();
    }
  };
}
