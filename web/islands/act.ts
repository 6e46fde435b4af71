import type { Client } from '../../client/src/index.ts'
import { cut, titled } from '../words/text.ts'
import { fillDialog, openDialog } from './dialog.ts'
import { h } from './dom.ts'
import { type UploadedFile, UploadFailed, uploadFile, uploadTextOf } from './files/upload.ts'
import type { ActionForm } from './forms/action-form.ts'
import { actionForms } from './forms/action-table.ts'
import type { ActionContext, Offer, TaskDetail, Values } from './forms/fields.ts'
import { showWriteForm } from './forms/write-form.ts'
import { apiOrigin, loadService } from './service.ts'
import { shortAddress } from './session.ts'
import type { ConnectedWallet } from './wallet/connected-wallet.ts'
import { requireWallet } from './wallet/connection-dialog.ts'
import { WalletRefused } from './wallet/wallet-refused.ts'
import { openClient } from './write/open-client.ts'
import type { AskedWrite } from './write/sheet-words.ts'

/** The action that a button on a page starts. */
export interface AskedAction {
  action: string
  taskId: string
  /** Address of the worker whom the action concerns; absent if the action concerns no particular worker. */
  targetWorker?: string | undefined
}

/**
 * Guides a person through an action: connecting a wallet, filling the form, confirming the payment sheet, and the
 * result.
 * @example await startAction({ action: 'claim', taskId: task.id })
 */
export async function startAction({ action, taskId, targetWorker }: AskedAction): Promise<void> {
  const form = Object.hasOwn(actionForms, action) ? actionForms[action] : undefined
  if (form === undefined) return
  let wallet: ConnectedWallet
  try {
    wallet = await requireWallet()
  } catch (error) {
    return await showProblem(form.act, error)
  }
  await openDialog(form.act, (dialog) => {
    void loadForm(dialog, { wallet, action, taskId, targetWorker }).catch((error: unknown) =>
      fillDialog(dialog, form.act, problemOf(error)),
    )
    return [h('p', { role: 'status' }, 'Reading the task…')]
  })
}

/**
 * Loads the form of an action. Reads the task from the API first, because the page may show an older state of the task.
 */
async function loadForm(
  dialog: HTMLDialogElement,
  { wallet, action, taskId, targetWorker }: AskedAction & { wallet: ConnectedWallet },
): Promise<void> {
  const form = actionForms[action]
  if (form === undefined) return
  const client = await openClient(wallet)
  const task = await readTask(client, taskId)
  const offer = chooseOffer(task, { action, targetWorker, address: wallet.account.address })
  const path = { path: { taskId: task.id } }
  const [submissions, pitches] = await Promise.all([
    form.needs === 'submissions' ? client.http.GET('/api/tasks/{taskId}/submissions', { params: path }) : null,
    form.needs === 'pitches' ? client.http.GET('/api/tasks/{taskId}/pitches', { params: path }) : null,
  ])
  const context: ActionContext = {
    task,
    offer,
    submissions: (submissions?.data ?? []).filter(({ rejectedAt }) => rejectedAt === null),
    pitches: pitches?.data ?? [],
  }
  const { eligibleAddress } = offer ?? {}
  if (typeof eligibleAddress === 'string' && eligibleAddress.toLowerCase() !== wallet.account.address.toLowerCase()) {
    fillDialog(dialog, form.act, [
      h(
        'p',
        { class: 'note wait' },
        `Only ${shortAddress(eligibleAddress)} may do this now, and you are connected as ${shortAddress(wallet.account.address)}. Switch the wallet at the top of the page.`,
      ),
    ])
    return
  }
  showForm(dialog, { wallet, client, form, context })
}

function showForm(
  dialog: HTMLDialogElement,
  {
    wallet,
    client,
    form,
    context,
  }: { wallet: ConnectedWallet; client: Client; form: ActionForm; context: ActionContext },
): void {
  const { task } = context
  const about = typeof form.about === 'function' ? form.about(context) : form.about
  const { title } = titled(task.description)
  const fields = form.fields?.(context) ?? []
  const toAsked = (values: Values): AskedWrite => ({
    name: form.write,
    input: { taskId: task.id, ...(form.input?.(values, context) ?? values) },
    words: {
      act: form.act,
      title: `${form.act}: ${cut(title, 60)}`,
      effects: form.effects?.(values, context) ?? [],
      done: form.done,
      // A form has shown it before.
      ...(about !== undefined && fields.length === 0 && { note: about }),
    },
    page: null,
  })
  showWriteForm(dialog, wallet, {
    heading: form.act,
    ...(about !== undefined && { about }),
    fields,
    ask: async (values, tell) => toAsked(await withUploads(client, values, { taskId: task.id, tell })),
  })
}

/**
 * Uploads the files of a form. Returns the values of the form, in which each file is replaced by the file's key and
 * hashes. The write then contains the key and hashes.
 * @throws UploadFailed
 */
async function withUploads(
  client: Client,
  values: Values,
  { taskId, tell }: { taskId: string; tell: (text: string) => void },
): Promise<Values> {
  const files = values.artifacts as File[] | undefined
  const { account } = client.context
  if (files === undefined || account === null) return values
  tell('Sign in your wallet that you may upload files to this task…')
  const signature = await account.signMessage({ message: uploadTextOf(client, taskId) }).catch((error: Error) => {
    throw new UploadFailed(error.message)
  })
  const artifacts: UploadedFile[] = []
  for (const file of files) {
    const place = files.length === 1 ? file.name : `${file.name} (${artifacts.length + 1} of ${files.length})`
    const artifact = await uploadFile(client, { taskId, file, signature }, (what, part) =>
      tell(`${what === 'hashing' ? 'Hashing' : 'Uploading'} ${place}: ${Math.floor(part * 100)} %`),
    )
    artifacts.push(artifact)
  }
  tell('')
  return { ...values, artifacts }
}

/**
 * Reads a task without a wallet. If that does not return the task, reads the task as the connected wallet. The wallet
 * signs a read identity (headers that prove which wallet reads) at most once an hour.
 * @throws WalletRefused if the task does not exist or the wallet may not read it
 */
export async function readTask(client: Client, taskId: string): Promise<TaskDetail> {
  const response = await fetch(`${apiOrigin(await loadService())}/api/tasks/${encodeURIComponent(taskId)}`)
  const taskDetail = response.ok ? ((await response.json()) as TaskDetail | null) : null
  if (taskDetail !== null) return taskDetail
  const { data } = await client.http.GET('/api/tasks/{taskId}', { params: { path: { taskId } } })
  if (data) return data
  throw new WalletRefused('There is no such task, or this wallet is not invited to it.')
}

/**
 * Returns the entry of `pendingActions` that offers the action to this wallet. If there is none, returns the first
 * entry that offers the action to another account. Null if the task does not offer the action. A task can have several
 * entries for one action, for example one for the requester and one for anyone.
 */
function chooseOffer(
  { pendingActions }: TaskDetail,
  { action, targetWorker, address }: Pick<AskedAction, 'action' | 'targetWorker'> & { address: string },
): Offer | null {
  const offers = pendingActions.filter(
    (offer) => offer.action === action && sameWorker(offer.targetWorker, targetWorker),
  )
  const isFor = ({ eligibleAddress }: Offer) =>
    eligibleAddress === null || eligibleAddress.toLowerCase() === address.toLowerCase()
  return offers.find(isFor) ?? offers[0] ?? null
}

function sameWorker(one: string | null | undefined, other: string | undefined): boolean {
  return other === undefined || (one ?? '').toLowerCase() === other.toLowerCase()
}

function problemOf(error: unknown) {
  const text = error instanceof Error ? error.message : String(error)
  return [h('p', { class: 'note bad', role: 'alert' }, text)]
}

async function showProblem(heading: string, error: unknown): Promise<void> {
  await openDialog(heading, () => problemOf(error))
}
