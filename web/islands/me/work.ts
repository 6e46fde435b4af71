import type { Client, components } from '../../../client/src/index.ts'
import { actionWords } from '../../act/action-words.ts'
import { usdcText } from '../../words/amount.ts'
import { modeOf } from '../../words/modes.ts'
import { stateOf } from '../../words/states.ts'
import { titled } from '../../words/text.ts'
import { fill, h } from '../dom.ts'
import { timeElement } from '../page/times.ts'
import { update } from '../page/update.ts'
import { isConnected } from '../session.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { note } from './note.ts'
import { sponsoredClaims } from './sponsored-claims.ts'

type WorkItem = components['schemas']['WorkItem']
type WaitingEntry = components['schemas']['WaitingEntry']
type Task = components['schemas']['Task']

/**
 * The wallet whose work is shown. `isUpdate`: true if the page already shows an earlier result; a failed read then
 * leaves this result on the page.
 */
interface Work {
  wallet: ConnectedWallet
  client: Client
  isUpdate: boolean
}

/** Reads the action queue and the inbox of a wallet, and shows them. */
export async function showWork(place: HTMLElement, { wallet, client, isUpdate }: Work): Promise<void> {
  const { http, context } = client
  const query = { address: context.account?.address ?? '' }
  const [queue, inbox] = await Promise.all([
    http.GET('/api/agents/action-queue', { params: { query } }),
    http.GET('/api/agents/inbox', { params: { query } }),
  ])
  if (!isConnected(wallet)) return
  if (queue.data === undefined || inbox.data === undefined) {
    // A failed update keeps the earlier content.
    if (isUpdate) return
    const wait = queue.response.headers.get('retry-after') ?? inbox.response.headers.get('retry-after')
    const text =
      wait === null
        ? 'The service does not answer for your wallet now. Load the page again in a moment.'
        : `Too many requests. Try again in ${wait} s.`
    fill(place, note('Not shown', text, 'bad'))
    return
  }
  const { items, waiting } = queue.data
  const { asRequester, asWorker, invitedPrivateTasks = [] } = inbox.data
  const dueItems = [...items].sort((one, other) => timeOf(one.dueAt) - timeOf(other.dueAt))
  const lists = [
    list('To do', dueItems.map(itemRow), 'most urgent first'),
    list('Rewards of sponsors', sponsoredClaims(wallet, client, asWorker)),
    list('Waiting for others', waiting.map(waitingRow)),
    list('Posted by you', asRequester.map(taskRow)),
    list('You work on', asWorker.map(taskRow)),
    list('You are invited to', invitedPrivateTasks.map(taskRow)),
  ].filter((section) => section !== null)
  update(
    place,
    lists.length > 0 ? lists : note('Nothing to show yet', 'Tasks that you post, take or deliver to appear here.'),
  )
}

function itemRow({ task, actions, priority, dueAt, intent }: WorkItem): HTMLElement {
  const state = priority === 'urgent' ? 'bad' : 'wait'
  return h(
    'li',
    {},
    h(
      'h2',
      {},
      h('a', { href: `/tasks/${task.referenceCode}` }, `${intentWords[intent]} “${task.title ?? task.referenceCode}”`),
    ),
    h(
      'p',
      { class: 'pay row' },
      actions.slice(0, 3).map(({ action, targetWorker }) =>
        h(
          'button',
          {
            class: 'button quiet',
            type: 'button',
            'data-act': action,
            'data-task': task.id,
            'data-worker': targetWorker,
          },
          actionWords[action] ?? action,
        ),
      ),
    ),
    h(
      'p',
      { class: 'meta row' },
      dueAt !== null && h('span', { class: `state ${state}` }, timeElement(dueAt)),
      h('span', {}, `${usdcText(task.reward)} USDC`),
    ),
  )
}

function waitingRow({ task, reason, dueAt }: WaitingEntry): HTMLElement {
  const isAhead = dueAt !== null && Date.parse(dueAt) > Date.now()
  return h(
    'li',
    {},
    h('h2', {}, h('a', { href: `/tasks/${task.referenceCode}` }, task.title ?? task.referenceCode)),
    h('p', { class: 'meta' }, h('span', {}, reasonWords[reason], isAhead && [', ends ', timeElement(dueAt)])),
  )
}

function taskRow(task: Task): HTMLElement {
  const { referenceCode, description, reward } = task
  const { title } = titled(description ?? '')
  const { shape, word } = stateOf(task, Date.now())
  return h(
    'li',
    {},
    h('h2', {}, h('a', { href: `/tasks/${referenceCode}` }, title)),
    h('p', { class: 'pay money' }, usdcText(reward), ' ', h('small', {}, 'USDC')),
    h('p', { class: 'meta row' }, h('span', { class: `state ${shape}` }, word), h('span', {}, modeOf(task).name)),
  )
}

function list(heading: string, rows: HTMLElement[], about = '') {
  if (rows.length === 0) return null
  return h(
    'section',
    {},
    h('h2', {}, `${heading} `, h('small', { class: 'soft' }, about)),
    h('ol', { class: 'tasks' }, rows),
  )
}

/**
 * Converts the deadline of a work item to Unix milliseconds, for sorting. An item without a deadline gets infinity and
 * is the last.
 */
function timeOf(iso: string | null): number {
  return iso === null ? Number.POSITIVE_INFINITY : Date.parse(iso)
}

const intentWords: Readonly<Record<WorkItem['intent'], string>> = {
  review_work: 'Decide about',
  select_worker: 'Choose a worker for',
  submit_work: 'Deliver work for',
  settle_expired: 'Time is over for',
  evaluate_work: 'Judge',
  appeal_verdict: 'Accept or appeal the verdict on',
  resolve_dispute: 'Settle the dispute about',
  finalize_verdict: 'Carry out the verdict on',
  rate_workers: 'Rate the workers of',
  select_auction_winner: 'Give to the lowest bid',
}

const reasonWords: Readonly<Record<WaitingEntry['reason'], string>> = {
  waiting_for_submissions: 'Waiting for entries',
  waiting_for_worker: 'Waiting for the worker',
  waiting_for_review: 'Waiting for the requester',
  waiting_for_evaluator: 'Waiting for the evaluator',
  waiting_for_appeal_window: 'Waiting until the time to appeal is over',
  waiting_for_settlement: 'Waiting to be paid out or refunded',
}
