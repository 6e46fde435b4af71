import { isAddress } from 'viem'
import type { WriteInput, WriteName } from '../api/write-names.ts'
import type { ClientContext } from '../context.ts'
import { withdrawalAddressShape } from '../http/shapes.ts'
import { readJson } from '../reads/read-json.ts'
import { unattendedToday } from '../store/ledger.ts'
import { hashRequest } from '../writes/hash-request.ts'
import type { Preview } from '../writes/outcome.ts'
import { previewWrite } from '../writes/preview.ts'
import { Refused } from '../writes/write-spec.ts'
import { writes } from '../writes/write-table.ts'
import type { Terms } from './grants.ts'
import { readTaskRow, type TaskRow } from './row-version.ts'

/** A write that a caller requests: a name of the catalogue, and arguments that its schema allows. */
export interface AskedWrite {
  name: WriteName
  input: Record<string, unknown>
  /** Makes a second write beside an equal one that is open. */
  again?: boolean
  /** Allows a task that stays open for more than a year. */
  long?: boolean
}

/** The call of a dry run, and the values that it contains besides the arguments. */
export type AgreedCall = Pick<Preview, 'call' | 'choices'>

/** Cost and effects that a write would have now. */
export interface Finding {
  terms: Terms
  row: TaskRow | null
  /** Requires confirmation by a user. */
  needsPerson: boolean
  /** Movements of other assets than USDC, a clause each. */
  assets: string[]
  /** True after a simulation on a node. */
  isActSimulated: boolean
  agreed: AgreedCall
}

/** Reports whether a write moves assets out of the wallet; a user confirms each one. */
function isWithdrawal(name: WriteName): boolean {
  return writes[name].isWithdrawal
}

/** Reports whether a user confirms each write of a name: a withdrawal, or a switch of the wallet's signing rules. */
export function isPersonal(name: WriteName): boolean {
  return writes[name].build !== undefined
}

/**
 * Returns what a write would cost and decide now, by the dry run and the wallet's limits. Signs nothing.
 * @param earlier a dry run to compare with
 * @throws Refused, StoreError
 */
export async function findTerms(
  context: ClientContext,
  { name, input, long = false }: AskedWrite,
  earlier: AgreedCall | null = null,
): Promise<Finding> {
  const { account, store } = context
  if (account === null || store === null) throw new Refused('no_account', 'A write needs a wallet and its files.')
  const config = await store.config(account.address)
  const leaves = isWithdrawal(name)
  const destination = leaves ? await findDestination(context, config.withdrawalAddress) : null
  const row = typeof input.taskId === 'string' && !leaves ? await readTaskRow(context, input.taskId, input) : null
  const choices = earlier?.choices
  const preview = await previewWrite(context, name, input as WriteInput<typeof name>, {
    long,
    ...(choices !== undefined && { choices }),
  })
  if (preview.kind !== 'preview') {
    const { reason, message, ...more } = preview as Extract<typeof preview, { kind: 'refused' }>
    throw new Refused(reason, message, more)
  }
  const requestHash = await hashRequest(name, writes[name].path, { input, account })
  const { price, counted, assets, isActSimulated, call } = preview
  const unattended = await store.update(account.address, (state) => unattendedToday(state, Date.now()))
  return {
    terms: {
      requestHash,
      price,
      payTo: destination ?? preview.payTo,
      decides: counted,
      rowVersion: row?.version ?? null,
      call: call === null ? null : [call.target, call.data, call.escrowAmount].join(' '),
    },
    row,
    needsPerson: isPersonal(name) || assets.needsPerson || unattended + counted > config.askAbove,
    assets: assets.clauses,
    isActSimulated,
    agreed: { call, choices: preview.choices },
  }
}

/**
 * Returns the wallet's configured withdrawal address, which must be the service's too.
 * @throws Refused
 */
async function findDestination(context: ClientContext, configured: string | null): Promise<string> {
  if (configured === null || !isAddress(configured, { strict: false })) {
    throw new Refused(
      'no_withdrawal_address',
      'The wallet has no withdrawal address; a person sets it: task-market wallet set-withdrawal-address.',
    )
  }
  const query = { address: context.account?.address ?? '' }
  const answer = await readJson(context, '/api/wallet/withdrawal-address', query, withdrawalAddressShape)
  if (!answer.ok) throw new Refused('unreachable', answer.message)
  const { withdrawalAddress } = answer.body as { withdrawalAddress: unknown }
  if (String(withdrawalAddress).toLowerCase() === configured.toLowerCase()) return configured
  throw new Refused('wrong_withdrawal_address', `${configured} is not the address that the service has registered.`)
}
