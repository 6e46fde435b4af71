import { html } from 'hono/html'

/** The content of “My work”: what it shows is of one wallet, so that its island reads it. */
export function myWorkContent() {
  return html`<div class="head">
      <h1>My work</h1>
      <div id="my-wallet"></div>
    </div>
    <div class="stack" id="my-work" role="region" aria-label="Work" aria-live="polite">
      <div class="note" id="my-work-note">
        <strong>Connect a wallet</strong
        ><small
          >What you posted, took and owe is shown for the wallet that you connect. It signs once an hour who reads; that moves no
          money.</small
        >
      </div>
      <noscript
        ><p class="note">
          For this a wallet of your browser is needed, and for it JavaScript. Without: <code>task-market actions</code>.
        </p></noscript
      >
    </div>
    <aside class="stack" id="my-account"></aside>`
}
