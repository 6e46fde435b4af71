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

/** A write that a caller asks for: a name of the catalogue, and arguments that its schema allows. */
export interface AskedWrite {
  name: WriteName
  input: Record<string, unknown>
  /** Makes a second write where an equal one is open. */
  again?: boolean
  /** A task that stays open for more than a year is meant. */
  long?: boolean
}

/** Call of a dry run, and what it was made of beside the arguments. */
export type AgreedCall = Pick<Preview, 'call' | 'choices'>

/** What a write would come to now. */
export interface Finding {
  terms: Terms
  row: TaskRow | null
  /** A person must confirm it. */
  needsPerson: boolean
  /** Movements beside USDC, a clause each. */
  assets: string[]
  /** A node has simulated the act. */
  isActSimulated: boolean
  agreed: AgreedCall
}

/** Says whether a write moves what the wallet has out of it: a person confirms each one. */
function isWithdrawal(name: WriteName): boolean {
  return writes[name].isWithdrawal
}

/** Says whether a person confirms each write of a name: a withdrawal, or a switch of what signatures of the wallet mean. */
export function isPersonal(name: WriteName): boolean {
  return writes[name].build !== undefined
}

/**
 * Finds what a write would cost and decide now, by the dry run and the wallet's own limits. Nothing is signed.
 * @param earlier a dry run that this one is to be compared with
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

/** The wallet's own withdrawal address, which the service must have as well. @throws Refused */
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
