import type { components } from '../../../client/src/index.ts'
import { actionWords } from '../../act/action-words.ts'
import { usdcText } from '../../words/amount.ts'
import { fill, find, h } from '../dom.ts'
import { showText } from '../files/visible-text.ts'
import { relativeTime } from '../page/times.ts'
import { apiOrigin, loadService } from '../service.ts'
import { readSession } from '../session.ts'

type TaskDetail = components['schemas']['TaskDetail']
type Headers = Record<string, string>

const GRANT = 'X-Service-Task-Access-Grant'

/** How the task was opened, to open it again after an act. */
let lastRead: (() => Promise<ReadTask>) | null = null

/** Shows a private task to those who may see it: nothing of it is in the page. */
export function startPrivateTask(): void {
  takeUp()
  document.addEventListener('page-refreshed', takeUp)
}

function takeUp(): void {
  const place = find('#private-task')
  const taskId = place?.dataset.task
  if (place === null || taskId === undefined) return
  find('[data-private=wallet]')?.addEventListener('click', () => attempt(place, () => readByWallet(taskId)))
  find<HTMLFormElement>('form[data-private=password]')?.addEventListener('submit', (event) => {
    event.preventDefault()
    const password = String(new FormData(event.target as HTMLFormElement).get('password') ?? '')
    void attempt(place, () => readByPassword(taskId, password))
  })
  if (lastRead !== null) void attempt(place, lastRead)
}

/** A task, and the headers of who reads it. */
interface ReadTask {
  task: TaskDetail
  headers: Headers
}

async function attempt(place: HTMLElement, read: () => Promise<ReadTask>): Promise<void> {
  const problem = find('#private-problem')
  try {
    const { task, headers } = await read()
    lastRead = read
    showTask(place, task)
    const entries = h('section', { 'aria-label': 'Entries' })
    place.append(entries)
    const { showEntries } = await import('./entries.ts')
    await showEntries(entries, task.id, headers)
  } catch (error) {
    if (problem !== null) problem.textContent = (error as Error).message
  }
}

/** @throws Error with a sentence for a person */
async function readByWallet(taskId: string): Promise<ReadTask> {
  const [{ requireWallet }, { openClient }] = await Promise.all([
    import('../wallet/connection-dialog.ts'),
    import('../write/open-client.ts'),
  ])
  const { context } = await openClient(await requireWallet())
  return await readWith(taskId, await context.identity(), 'This wallet sees no task here.')
}

/** @throws Error with a sentence for a person */
async function readByPassword(taskId: string, password: string): Promise<ReadTask> {
  const origin = apiOrigin(await loadService())
  const response = await fetch(`${origin}/api/tasks/${encodeURIComponent(taskId)}/private-access/verify`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ password }),
  })
  if (response.status === 429) {
    throw new Error(`Too many tries. Try again in ${response.headers.get('retry-after') ?? 'some'} seconds.`)
  }
  if (!response.ok) throw new Error('The password is wrong, or there is no such task.')
  const { grant } = (await response.json()) as { grant: string }
  return await readWith(taskId, { [GRANT]: grant }, 'The task cannot be read now.')
}

async function readWith(taskId: string, headers: Headers, otherwise: string): Promise<ReadTask> {
  const origin = apiOrigin(await loadService())
  const response = await fetch(`${origin}/api/tasks/${encodeURIComponent(taskId)}`, { headers })
  const task = response.ok ? ((await response.json()) as TaskDetail | null) : null
  if (task === null) throw new Error(otherwise)
  return { task, headers }
}

/** A private text is plain text. */
function showTask(place: HTMLElement, task: TaskDetail): void {
  const [title = '', ...rest] = showText(task.description).split('\n')
  const heading = find('h1')
  if (heading !== null) heading.textContent = title
  find('.head p')?.remove()
  const session = readSession()
  const offers = task.pendingActions.filter(
    ({ eligibleAddress }) =>
      eligibleAddress === null || eligibleAddress.toLowerCase() === session?.address.toLowerCase(),
  )
  fill(
    place,
    h('p', { class: 'money big' }, usdcText(task.reward), ' ', h('small', {}, 'USDC')),
    h(
      'p',
      { class: 'row soft' },
      h('span', {}, task.mode),
      h('span', {}, task.status.replaceAll('_', ' ')),
      h('span', {}, `ends ${relativeTime(Date.parse(task.expiryTime) - Date.now())}`),
    ),
    h(
      'div',
      { class: 'prose' },
      rest
        .join('\n')
        .split(/\n{2,}/)
        .filter((part) => part.trim() !== '')
        .map((part) => h('p', {}, part)),
    ),
    h(
      'p',
      { class: 'row' },
      offers.map(({ action, targetWorker }) =>
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
      session?.address.toLowerCase() === task.requester.toLowerCase() &&
        h(
          'button',
          { class: 'button quiet', type: 'button', onclick: () => void openViewers(task.id) },
          'Who is invited',
        ),
    ),
  )
}

async function openViewers(taskId: string): Promise<void> {
  const [{ requireWallet }, { openClient }, { showViewers }] = await Promise.all([
    import('../wallet/connection-dialog.ts'),
    import('../write/open-client.ts'),
    import('./viewers.ts'),
  ])
  await showViewers(await openClient(await requireWallet()), taskId)
}
