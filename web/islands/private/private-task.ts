import type { components } from '../../../client/src/index.ts'
import { fill, find } from '../dom.ts'
import type { Target } from '../page/keep-live.ts'
import { apiOrigin, loadService } from '../service.ts'
import { readSession, watchSession } from '../session.ts'
import { heldIdentity } from '../write/identity-of-tab.ts'
import { refreshPage } from '../write/refresh-page.ts'
import { takePosted } from './just-posted.ts'

type TaskDetail = components['schemas']['TaskDetail']
type Headers = Record<string, string>

const GRANT = 'X-Service-Task-Access-Grant'

/**
 * The function that last read the task successfully, with a wallet or with the password. The page calls the function
 * again after the visitor has acted on the task. Null before the first successful read.
 */
let lastRead: (() => Promise<ReadTask>) | null = null

/**
 * The task on the page, and the wallet that may see the task. Null if no task is shown, or if a password opened the
 * task.
 */
let openedTask: { taskId: string; address: string } | null = null

/**
 * Shows a private task to a visitor with access. For a wallet, the task is kept up to date. The served page contains no
 * data of the task.
 */
export function startPrivateTask(): void {
  takeUp()
  document.addEventListener('page-refreshed', takeUp)
  watchSession((session) => {
    if (openedTask !== null && session?.address !== openedTask.address) void close()
  })
}

/**
 * Removes the task from the page, after the wallet that opened the task was disconnected or lost access to the task.
 */
async function close(): Promise<void> {
  openedTask = null
  lastRead = null
  look?.()
  await refreshPage()
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
  void openAtOnce(place, taskId)
}

/**
 * Opens the task without a click in three cases. First: this page has already shown the task. Second: the wallet has
 * access and a valid read identity. Third: the visitor has just posted the task; the wallet then signs a read identity.
 */
async function openAtOnce(place: HTMLElement, taskId: string): Promise<void> {
  if (lastRead !== null) return await attempt(place, lastRead)
  const byWallet = () => readByWallet(taskId)
  const headers = heldIdentity(readSession()?.address ?? '')
  const task = headers === null ? null : await readTask(taskId, headers)
  if (headers !== null && isThere(task)) {
    lastRead = byWallet
    return await show(place, { task, headers, canAct: true })
  }
  if (takePosted(taskId)) await attempt(place, byWallet)
}

/**
 * A task, and the headers that prove the reader's right. `canAct`: false for a reader with a password, because the
 * access grant authorizes only reading.
 */
interface ReadTask {
  task: TaskDetail
  headers: Headers
  canAct: boolean
}

async function attempt(place: HTMLElement, read: () => Promise<ReadTask>): Promise<void> {
  const problem = find('#private-problem')
  try {
    const privateTask = await read()
    lastRead = read
    await show(place, privateTask)
  } catch (error) {
    if (problem !== null) problem.textContent = (error as Error).message
  }
}

async function show(place: HTMLElement, { task, headers, canAct }: ReadTask): Promise<void> {
  const reader = readSession()?.address ?? null
  const [{ showTask }, { readEntries, showEntries }, { keepLive }] = await Promise.all([
    import('./show-task.ts'),
    import('./entries.ts'),
    import('../page/keep-live.ts'),
  ])
  const entries = await readEntries(task.id, headers)
  if ((readSession()?.address ?? null) !== reader) return
  openedTask = canAct && reader !== null ? { taskId: task.id, address: reader } : null
  const openByWallet = canAct ? null : () => attempt(place, () => readByWallet(task.id))
  showEntries(showTask(place, task, { openByWallet }), { taskId: task.id, entries, headers })
  look ??= keepLive({ target, update })
  look()
}

/**
 * Function that calls `target` and, if the result has changed, makes the page follow another stream of events. Null
 * before the first task is shown.
 */
let look: (() => void) | null = null

/**
 * Returns the task whose events the page must follow, and the wallet that reads the events. Returns null if no wallet
 * has opened the task, or if the wallet's read identity has expired.
 */
function target(): Target | null {
  if (openedTask === null) return null
  const { taskId, address } = openedTask
  const headers = heldIdentity(address)
  if (headers === null) void end()
  return headers === null ? null : { task: taskId, isAlone: true, fromBlock: null, reader: { address, headers } }
}

/**
 * Shows a note that the private task on the page is no longer kept up to date, because the wallet's read identity has
 * expired.
 */
async function end(): Promise<void> {
  const { endNote } = await import('./end-note.ts')
  const [place, note] = [find('#private-task'), find('#private-end')]
  if (place === null || note === null || note.childElementCount > 0) return
  fill(
    note,
    endNote(() => void (lastRead !== null && attempt(place, lastRead))),
  )
  note.hidden = false
}

/**
 * Reads the private task again with the read identity of the wallet that opened the task, and shows the new content.
 * @returns false if the task or its entries could not be read, else true
 */
async function update(): Promise<boolean> {
  const [place, shownTask] = [find('#private-task'), openedTask]
  const headers = heldIdentity(shownTask?.address ?? '')
  if (place === null || shownTask === null || headers === null) return true
  const { taskId } = shownTask
  const [{ showTask }, { readEntries, showEntries }] = await Promise.all([
    import('./show-task.ts'),
    import('./entries.ts'),
  ])
  const [task, entries] = await Promise.all([readTask(taskId, headers), readEntries(taskId, headers)])
  if (openedTask !== shownTask) return true
  if (task === null) await close()
  if (!isThere(task) || entries === null) return task === null
  showEntries(showTask(place, task, { openByWallet: null }), { taskId, entries, headers })
  return true
}

/**
 * Reads a task as the connected wallet, with the wallet's signed read identity.
 * @throws Error with a sentence for a person
 */
async function readByWallet(taskId: string): Promise<ReadTask> {
  const [{ requireWallet }, { openClient }] = await Promise.all([
    import('../wallet/connection-dialog.ts'),
    import('../write/open-client.ts'),
  ])
  const { context } = await openClient(await requireWallet())
  const headers = await context.identity()
  const task = await readWith(
    taskId,
    headers,
    'There is no such task, or this wallet is not invited to it. Connect the wallet that was invited, or use the password.',
  )
  return { task, headers, canAct: true }
}

/**
 * Reads a task with its password.
 * @throws Error with a sentence for a person
 */
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
  if (!response.ok) throw new Error('The password is wrong, or there is no such task. Ask the requester for it.')
  const { grant } = (await response.json()) as { grant: string }
  const headers = { [GRANT]: grant }
  const task = await readWith(taskId, headers, 'The task cannot be read now. Try again in a moment.')
  return { task, headers, canAct: false }
}

/**
 * Reads a task with request headers that prove the reader's access.
 * @throws Error with the text `otherwise` if the task cannot be read
 */
async function readWith(taskId: string, headers: Headers, otherwise: string): Promise<TaskDetail> {
  const task = await readTask(taskId, headers)
  if (!isThere(task)) throw new Error(otherwise)
  return task
}

/** Reads a task. Null: the task does not exist, or the reader has no access. `failed`: the service does not answer. */
async function readTask(taskId: string, headers: Headers): Promise<TaskDetail | null | 'failed'> {
  const origin = apiOrigin(await loadService())
  const response = await fetch(`${origin}/api/tasks/${encodeURIComponent(taskId)}`, { headers }).catch(() => null)
  if (response?.status === 404) return null
  return response?.ok ? ((await response.json()) as TaskDetail | null) : 'failed'
}

function isThere(task: TaskDetail | null | 'failed'): task is TaskDetail {
  return task !== null && task !== 'failed'
}
