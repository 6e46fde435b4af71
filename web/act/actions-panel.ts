import { html } from 'hono/html'
import type { components } from '../../client/src/index.ts'
import { actionWords, roleWords } from './action-words.ts'

type Task = Pick<
  components['schemas']['TaskDetail'],
  'id' | 'pendingActions' | 'status' | 'requester' | 'evaluator' | 'mode'
>
type Offer = components['schemas']['PendingAction']

/**
 * What may be done about a task now and who may do it, each with a button. Which of them are for the visitor is decided in the
 * browser: a page never depends on who looks. Without scripts the command of the client tool stands in place of a button.
 */
export function actionsPanel(task: Task) {
  const offers = task.pendingActions
  const others = otherActs(task)
  if (offers.length === 0 && others.length === 0) {
    return html`<div class="note"><strong>Nothing to do</strong><small>${endWords(task.status)}</small></div>`
  }
  return html`<section class="card acts" aria-labelledby="acts">
    <h2 id="acts">What may be done now</h2>
    <ul class="tight">
      <li data-none hidden><small>Nothing for your wallet to do now: another account must act first, or a deadline pass.</small></li>
      ${offers.map((offer, index) => row(task.id, offer, index === 0))}${others.map((other) => row(task.id, other, false))}
    </ul>
  </section>`
}

type Shown = Pick<Offer, 'action' | 'role' | 'eligibleAddress' | 'targetWorker'> & Partial<Offer>

function row(taskId: string, offer: Omit<Shown, 'action'> & { action: string }, isFirst: boolean) {
  const { action, role, eligibleAddress, targetWorker, command, requiresPayment, availableUntil } = offer
  const words = actionWords[action] ?? action
  return html`<li data-for="${eligibleAddress ?? ''}">
    <button
      class="button ${isFirst ? '' : 'quiet'} wide"
      type="button"
      data-act="${action}"
      data-task="${taskId}"
      ${targetWorker ? html`data-worker="${targetWorker}"` : ''}
    >
      ${words}
    </button>
    <small class="soft"
      >${roleWords[role]}${requiresPayment === false ? ', free' : ''}${
        availableUntil ? html`, until <time datetime="${availableUntil}">${shortTime(availableUntil)}</time>` : ''
      }</small
    >
    ${command === undefined ? '' : html`<noscript><code>task-market ${command}</code></noscript>`}
  </li>`
}

/** Acts of the requester that no task offers: they decide nothing by themselves. */
function otherActs({ status, requester, evaluator, mode }: Task) {
  const act = (action: string) => ({
    action,
    role: 'requester' as const,
    eligibleAddress: requester,
    targetWorker: null,
  })
  const isAssigned = mode === 'claim' || mode === 'pitch' || mode === 'auction'
  return [
    ...(status === 'pending_approval' && isAssigned ? [act('object')] : []),
    ...(status === 'open' && evaluator === null ? [act('assign_evaluator')] : []),
  ]
}

function endWords(status: Task['status']): string {
  if (status === 'completed') return 'It is paid and over.'
  if (status === 'expired' || status === 'cancelled') return 'It is over; the reward went back.'
  return 'It waits for a deadline: the timeline says for which.'
}

/** The time of the server’s day in UTC; the island shows it in the visitor’s own. Example: `29 Nov, 21:27 UTC`. */
function shortTime(iso: string): string {
  const format = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const
  return `${new Date(iso).toLocaleString('en-GB', format)} UTC`
}
