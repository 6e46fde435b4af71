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

/** How the task was opened, to open it again after an act. */
let lastRead: (() => Promise<ReadTask>) | null = null

/** The task that is shown, and the wallet that it is shown to; null: none is, or by a password alone. */
let opened: { taskId: string; address: string } | null = null

/** Shows a private task to those who may see it, and keeps it up to date for a wallet: nothing of it is in the page. */
export function startPrivateTask(): void {
  takeUp()
  document.addEventListener('page-refreshed', takeUp)
  watchSession((session) => {
    if (opened !== null && session?.address !== opened.address) void close()
  })
}

/** Takes the task away from a page that is no longer a wallet's that may see it. */
async function close(): Promise<void> {
  opened = null
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
 * Opens the task without a click where that takes no signature, or where the visitor has just posted it: then the wallet signs
 * once who reads.
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

/** A task, and the headers of who reads it. The grant of a password never authorizes an act. */
interface ReadTask {
  task: TaskDetail
  headers: Headers
  canAct: boolean
}

async function attempt(place: HTMLElement, read: () => Promise<ReadTask>): Promise<void> {
  const problem = find('#private-problem')
  try {
    const shown = await read()
    lastRead = read
    await show(place, shown)
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
  opened = canAct && reader !== null ? { taskId: task.id, address: reader } : null
  const openByWallet = canAct ? null : () => attempt(place, () => readByWallet(task.id))
  showEntries(showTask(place, task, { openByWallet }), { taskId: task.id, entries, headers })
  look ??= keepLive({ target, update })
  look()
}

/** Looks whether the page has another stream to follow; null: no task was shown yet. */
let look: (() => void) | null = null

/** Null: nothing is shown to a wallet, or it would have to sign. */
function target(): Target | null {
  if (opened === null) return null
  const { taskId, address } = opened
  const headers = heldIdentity(address)
  if (headers === null) void end()
  return headers === null ? null : { task: taskId, isAlone: true, fromBlock: null, reader: { address, headers } }
}

/** Says that the task is not kept up to date any more. */
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

/** Reads the task again as the wallet that it is shown to. @returns whether it was read */
async function update(): Promise<boolean> {
  const [place, shown] = [find('#private-task'), opened]
  const headers = heldIdentity(shown?.address ?? '')
  if (place === null || shown === null || headers === null) return true
  const { taskId } = shown
  const [{ showTask }, { readEntries, showEntries }] = await Promise.all([
    import('./show-task.ts'),
    import('./entries.ts'),
  ])
  const [task, entries] = await Promise.all([readTask(taskId, headers), readEntries(taskId, headers)])
  if (opened !== shown) return true
  if (task === null) await close()
  if (!isThere(task) || entries === null) return task === null
  showEntries(showTask(place, task, { openByWallet: null }), { taskId, entries, headers })
  return true
}

/** @throws Error with a sentence for a person */
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
  if (!response.ok) throw new Error('The password is wrong, or there is no such task. Ask the requester for it.')
  const { grant } = (await response.json()) as { grant: string }
  const headers = { [GRANT]: grant }
  const task = await readWith(taskId, headers, 'The task cannot be read now. Try again in a moment.')
  return { task, headers, canAct: false }
}

/** @throws Error that says `otherwise` */
async function readWith(taskId: string, headers: Headers, otherwise: string): Promise<TaskDetail> {
  const task = await readTask(taskId, headers)
  if (!isThere(task)) throw new Error(otherwise)
  return task
}

/** Null: there is no such task, or it is not for this reader; `failed`: the service does not say it now. */
async function readTask(taskId: string, headers: Headers): Promise<TaskDetail | null | 'failed'> {
  const origin = apiOrigin(await loadService())
  const response = await fetch(`${origin}/api/tasks/${encodeURIComponent(taskId)}`, { headers }).catch(() => null)
  if (response?.status === 404) return null
  return response?.ok ? ((await response.json()) as TaskDetail | null) : 'failed'
}

function isThere(task: TaskDetail | null | 'failed'): task is TaskDetail {
  return task !== null && task !== 'failed'
}
