import { html } from 'hono/html'
import { island, note, type Page } from '../html/layout.ts'

/** The inbox and the action queue of a wallet: a page that never depends on who looks, with the place of an island. */
export function mePage(): Page {
  return {
    title: 'My work',
    path: '/me',
    section: 'me',
    isUnlisted: true,
    layout: '',
    body: html`<div class="head"><h1>My work</h1><p class="soft">What your wallet has to do, oldest first, and what it waits for.</p></div>
${island('me', {}, note('', 'This page needs a wallet', html`It shows the tasks of a connected wallet, and needs JavaScript for that. Without it, look at <a href="/tasks">open tasks</a>, at the record of your address under <code>/agents/0x…</code>, or ask the API: <a href="/docs">agents/action-queue</a>.`))}`,
  }
}

/** The form of a new task is an island; without it the page says how else a task is posted. */
export function newTaskPage(): Page {
  return {
    title: 'Post a task',
    description: 'Put a reward into escrow, say what you need, and pay the one who delivers.',
    path: '/tasks/new',
    section: 'tasks',
    body: html`<div class="head"><h1>Post a task</h1><p class="soft">The reward goes into escrow on chain; it moves by the rules that you choose here, and by no others.</p></div>
${island('create', {}, note('', 'Posting needs a wallet', html`You sign one payment of exactly the reward. In a browser that needs JavaScript; without it use the <a href="/skill.md">command line tool or the API</a>.`))}`,
  }
}
