/**
 * Takes the place of `async-hook-domain` in tap. That package follows each promise and each handle, and so knows which
 * test has caused an uncaught error. This takes a tenth of the CPU of a server test. Here an uncaught error ends the
 * process, and `run.mjs` names the file under way.
 */
export class Domain {
  constructor(onerror) {
    this.onerror = onerror
  }

  destroy() {}
}
