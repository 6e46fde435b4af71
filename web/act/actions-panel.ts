import { html, raw } from 'hono/html'
import type { components } from '../../client/src/index.ts'
import { shortened } from '../html/address.ts'
import type { Child } from '../html/html.ts'
import { at } from '../html/time.ts'
import { usdcText } from '../words/amount.ts'
import { actionWords, minorActs, roleWords } from './action-words.ts'

type Task = Pick<
  components['schemas']['TaskDetail'],
  'id' | 'pendingActions' | 'status' | 'requester' | 'evaluator' | 'mode'
>
type Offer = components['schemas']['PendingAction']

/**
 * Renders the possible actions of a task, each with a button and the accounts that may act. Actions for any account
 * come first. A script moves the connected wallet's actions to the front. Without scripts, a command of the client tool
 * replaces each button.
 * @param sentence a sentence that explains the task's state; displayed if no action is possible
 */
export function actionsPanel(task: Task, sentence: string) {
  const { pendingActions } = task
  // A requester's act that any account may do is listed once.
  const offers = pendingActions.filter(
    ({ role, action }) =>
      role === 'anyone' || !pendingActions.some((other) => other.role === 'anyone' && other.action === action),
  )
  const openOffers = offers.filter(({ eligibleAddress }) => eligibleAddress === null)
  const restrictedActs = [...offers.filter(({ eligibleAddress }) => eligibleAddress !== null), ...otherActs(task)]
  if (openOffers.length + restrictedActs.length === 0) {
    return html`<div class="note"><strong>Nothing to do now</strong><small>${sentence}</small></div>`
  }
  const roles = [...new Set(restrictedActs.map(({ role }) => roleWords[role].toLowerCase()))]
  const isRoleSaid = roles.length === 1
  return html`<section class="card acts" aria-labelledby="acts">
    <h2 id="acts">What may be done now</h2>
    <p data-none hidden><small>Nothing for your wallet to do now: another account must act first, or a deadline must pass.</small></p>
    ${openOffers.length === 0 ? '' : html`<ul class="tight">${openOffers.map((offer, index) => row(task.id, offer, { isFirst: index === 0, isRoleSaid: false }))}</ul>`}
    ${
      restrictedActs.length === 0
        ? ''
        : html`<details data-bound${openOffers.length === 0 ? raw(' open') : ''}><summary>For ${roles.join(', ')} (${restrictedActs.length})</summary>
      <ul class="tight">${restrictedActs.map((offer, index) => row(task.id, offer, { isFirst: openOffers.length === 0 && index === 0, isRoleSaid }))}</ul></details>`
    }
  </section>`
}

type Shown = Pick<Offer, 'action' | 'role' | 'eligibleAddress' | 'targetWorker'> & Partial<Offer>

function row(
  taskId: string,
  offer: Omit<Shown, 'action'> & { action: string },
  { isFirst, isRoleSaid }: { isFirst: boolean; isRoleSaid: boolean },
) {
  const {
    action,
    role,
    eligibleAddress,
    targetWorker,
    command,
    requiresPayment,
    paymentAmount,
    availableAfter,
    availableUntil,
  } = offer
  const words = actionWords[action] ?? action
  return html`<li data-for="${eligibleAddress ?? ''}">
    <button
      class="button ${isFirst && !minorActs.includes(action) ? '' : 'quiet'} wide"
      type="button"
      data-act="${action}"
      data-task="${taskId}"
      ${targetWorker ? html`data-worker="${targetWorker}"` : ''}
    >
      ${words}
    </button>
    ${conditions([
      targetWorker ? html`<span class="hex" title="${targetWorker}">${shortened(targetWorker)}</span>` : null,
      isRoleSaid ? null : `for ${roleWords[role].toLowerCase()}`,
      priceWords(requiresPayment, paymentAmount),
      availableAfter ? html`from ${at(availableAfter)}` : null,
      availableUntil ? html`until ${at(availableUntil)}` : null,
    ])}
    ${command === undefined ? '' : html`<noscript><code>task-market ${command}</code></noscript>`}
  </li>`
}

/**
 * Renders the conditions of an action as one line: who may act, the price and the times. Omits each condition that is
 * null (unknown). Returns null if all conditions are unknown. Example: `for workers · free`.
 */
function conditions(parts: readonly Child[]): Child {
  const knownParts = parts.filter((part) => part !== null)
  if (knownParts.length === 0) return null
  return html`<small class="soft">${knownParts.map((part, index) => html`${index === 0 ? '' : ' · '}${part}`)}</small>`
}

/** Returns the price of an action in words; null if the price is not known in advance. */
function priceWords(requiresPayment: boolean | undefined, units: string | null | undefined): string | null {
  if (requiresPayment === false) return 'free'
  return units == null ? null : `costs ${usdcText(units)} USDC`
}

/**
 * Returns the requester's actions that are possible but not listed in `pendingActions`. None of these actions ends the
 * task or pays a worker.
 */
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
