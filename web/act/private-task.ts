import { html } from 'hono/html'

/**
 * Renders the page for a task that is private or does not exist. The page is the same in both cases. A script shows the
 * task to a wallet with access, and to a visitor with the password.
 * @param id task id or reference code, as in the URL
 */
export function privateTaskContent(id: string) {
  return html`<div class="head">
      <h1>This task is private, or does not exist</h1>
      <p class="soft">Only wallets that its requester invited, and people who know its password, can see a private task. If you followed a link, check it for mistakes, or <a href="/tasks">see the open tasks</a>.</p>
    </div>
    <div class="stack" id="private-task" data-task="${id}">
      <div class="pair" data-needs-script>
        <section class="card" aria-labelledby="by-wallet">
          <h2 id="by-wallet">With your wallet</h2>
          <p>For those who were invited. The wallet signs a text that says who reads; that moves no money.</p>
          <button class="button" type="button" data-private="wallet">Look with my wallet</button>
        </section>
        <form class="card" method="dialog" aria-labelledby="by-password" data-private="password">
          <h2 id="by-password">With the password</h2>
          <label><span>Password</span><input type="password" name="password" autocomplete="off" maxlength="200" required /></label>
          <button class="button quiet" type="submit">Open</button>
        </form>
      </div>
      <p role="alert" class="wrong" id="private-problem"></p>
      <noscript><p class="note">To open a private task, JavaScript is needed: nothing of it is in a page. Without: <code>task-market task get ${id}</code>.</p></noscript>
    </div>`
}
