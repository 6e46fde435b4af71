import type { components } from '../../../client/src/index.ts'
import { actionWords, minorActs } from '../../act/action-words.ts'
import { usdcText } from '../../words/amount.ts'
import { modeOf } from '../../words/modes.ts'
import { stateOf } from '../../words/states.ts'
import { plain, titled } from '../../words/text.ts'
import { submissionVisibilityWords } from '../../words/visibility.ts'
import { fill, find, h } from '../dom.ts'
import { timeElement } from '../page/times.ts'
import { update } from '../page/update.ts'
import { readSession } from '../session.ts'

type TaskDetail = components['schemas']['TaskDetail']

/**
 * Shows a private task in place of the empty page or the earlier content. The description is plain text.
 * @param openByWallet function that opens the task again with the connected wallet, after a password opened the task;
 * null if a wallet opened the task
 * @returns the element in which the entries are to be shown
 */
export function showTask(
  place: HTMLElement,
  task: TaskDetail,
  { openByWallet }: { openByWallet: (() => Promise<void>) | null },
): HTMLElement {
  const { title, body } = titled(task.description)
  const { shape, word, sentence } = stateOf(task, Date.now())
  const head = find('.head')
  if (head !== null)
    update(
      head,
      h(
        'p',
        { class: 'row soft' },
        h('a', { href: '/tasks' }, 'Tasks'),
        h('span', {}, modeOf(task).name),
        h('span', {}, 'private'),
        h('button', { class: 'copy hex', type: 'button', 'data-copy': task.referenceCode }, task.referenceCode),
      ),
      h('h1', { dir: 'auto' }, title),
      h('p', { class: 'row' }, h('span', { class: `state ${shape}` }, word), h('span', { class: 'soft' }, sentence)),
    )
  const end = find('#private-end')
  if (end !== null) {
    fill(end)
    end.hidden = true
  }
  update(
    place,
    h('div', { id: 'private-end', hidden: true }),
    body !== '' && h('p', { class: 'plain', dir: 'auto' }, plain(body)),
    section('Entries', h('section', { id: 'private-entries', 'aria-label': 'Entries' })),
    terms(task),
  )
  const aside = find('main > aside.task') ?? h('aside', { class: 'stack task' })
  if (!aside.isConnected) place.after(aside)
  update(aside, priceCard(task), openByWallet === null ? actions(task) : invitationNote(openByWallet))
  return find('#private-entries') ?? place
}

function section(title: string, ...content: HTMLElement[]) {
  return h('section', {}, h('h2', {}, title), content)
}

function terms(task: TaskDetail) {
  const { name, ends } = modeOf(task)
  return section(
    'Terms',
    facts([
      ['How it is won', `${name}: ${ends}`],
      ['Who sees deliveries', submissionVisibilityWords[task.submissionVisibility]],
      ['Evaluator', task.evaluator ?? 'none: the requester decides'],
      ['Platform fee', `${task.platformFeeBps / 100} % of what is paid`],
    ]),
  )
}

function priceCard({ reward, netReward, expiryTime, phase }: TaskDetail) {
  return h(
    'div',
    { class: 'card price' },
    h('p', {}, h('span', { class: 'money big' }, usdcText(reward), ' ', h('small', {}, 'USDC'))),
    facts([
      ...(netReward === null ? [] : [['Worker receives', `${usdcText(netReward)} USDC`] as const]),
      ...(phase === 'resolved' ? [] : [['Ends', timeElement(expiryTime)] as const]),
    ]),
  )
}

function facts(rows: readonly (readonly [label: string, value: string | HTMLElement])[]) {
  return h(
    'dl',
    { class: 'facts' },
    rows.map(([label, value]) => [h('dt', {}, label), h('dd', {}, value)]),
  )
}

/**
 * Renders buttons for the actions that the connected wallet can take, including actions that every wallet can take.
 * Returns null if there are none.
 */
function actions({ id, pendingActions, requester }: TaskDetail) {
  const address = readSession()?.address.toLowerCase()
  const offers = pendingActions.filter(
    ({ eligibleAddress }) => eligibleAddress === null || eligibleAddress.toLowerCase() === address,
  )
  const isRequester = requester.toLowerCase() === address
  if (offers.length === 0 && !isRequester) return null
  return h(
    'section',
    { class: 'card acts', 'aria-labelledby': 'acts' },
    h('h2', { id: 'acts' }, 'What may be done now'),
    h(
      'ul',
      { class: 'tight' },
      offers.map(({ action, targetWorker }, index) => {
        const attributes = { 'data-act': action, 'data-task': id, 'data-worker': targetWorker }
        return h(
          'li',
          {},
          wideButton(actionWords[action] ?? action, index === 0 && !minorActs.includes(action), attributes),
        )
      }),
      isRequester && h('li', {}, wideButton('Who is invited', false, { onclick: () => void openViewers(id) })),
    ),
  )
}

/**
 * Renders a note for a reader with a password: to act on the task, the reader needs a wallet that the requester
 * invited.
 */
function invitationNote(openByWallet: () => Promise<void>) {
  return h(
    'section',
    { class: 'card acts', 'aria-labelledby': 'acts' },
    h('h2', { id: 'acts' }, 'You look with the password'),
    h('p', {}, 'It lets you see the task, and nothing else. To act on it, ask its requester to invite your wallet.'),
    wideButton('Look with my wallet', true, { onclick: () => void openByWallet() }),
    h('p', { role: 'alert', class: 'wrong', id: 'private-problem' }),
  )
}

function wideButton(text: string, isFirst: boolean, attributes: Parameters<typeof h>[1]) {
  return h('button', { class: `button ${isFirst ? '' : 'quiet '}wide`, type: 'button', ...attributes }, text)
}

async function openViewers(taskId: string): Promise<void> {
  const [{ requireWallet }, { openClient }, { showViewers }] = await Promise.all([
    import('../wallet/connection-dialog.ts'),
    import('../write/open-client.ts'),
    import('./viewers.ts'),
  ])
  await showViewers(await openClient(await requireWallet()), taskId)
}
