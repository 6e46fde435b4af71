import { html } from 'hono/html'

/** Renders the empty page “My work”. A script of the page adds the content, which belongs to one wallet. */
export function myWorkContent() {
  return html`<div class="head">
      <h1>My work</h1>
      <div id="my-wallet"></div>
      <div id="my-end"></div>
    </div>
    <div class="stack" id="my-work" role="region" aria-label="Work">
      <div class="note" id="my-work-note">
        <strong>Connect a wallet to see your work</strong
        ><small
          >This page then shows what that wallet has posted, taken and has to do, and what it has earned. The wallet signs once an
          hour that it is the one who reads; that moves no money.</small
        >
        <p><button class="button" type="button" data-connect-here data-needs-script>Connect a wallet</button></p>
      </div>
      <noscript
        ><p class="note">
          This page needs a wallet in this browser, and JavaScript for it. Without them use the command
          <code>task-market actions</code>.
        </p></noscript
      >
    </div>
    <aside class="stack" id="my-account"></aside>`
}
