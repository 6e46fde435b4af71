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

/** A write that a model requests: the write's name, and arguments that the write's JSON schema allows. */
export interface AskedWrite {
  name: WriteName
  input: Record<string, unknown>
  /** True to make a second write even if the outcome of an equal write is still open. */
  again?: boolean
  /** True to allow a task that stays open for more than a year. */
  long?: boolean
}

/**
 * The contract call that a dry run encoded, and the values that the client chose for this call. The confirmed write
 * makes exactly this call, or is refused.
 */
export type AgreedCall = Pick<Preview, 'call' | 'choices'>

/** The cost and the effects that a write would have now. */
export interface Finding {
  terms: Terms
  row: TaskRow | null
  /** True if a user must confirm the write. */
  needsPerson: boolean
  /** Notices for the user, one clause each: movements of assets other than USDC, and the duration of a long task. */
  assets: string[]
  /** True if a node has simulated the call. */
  isActSimulated: boolean
  agreed: AgreedCall
}

/** Returns true if a write moves assets out of the wallet. A user must confirm the write in this case. */
function isWithdrawal(name: WriteName): boolean {
  return writes[name].isWithdrawal
}

/**
 * Returns true if a user must confirm each write with this name. A user must confirm each withdrawal, and each change
 * of the wallet's bound-only setting.
 */
export function isPersonal(name: WriteName): boolean {
  return writes[name].build !== undefined
}

/**
 * Returns the present cost and effects of a write. Makes a dry run, and checks the wallet's limits. Signs nothing.
 * @param earlierCall the result of an earlier dry run, with the `choices` to use again; null for the first dry run
 * @throws Refused, StoreError
 */
export async function findTerms(
  context: ClientContext,
  { name, input, long = false }: AskedWrite,
  earlierCall: AgreedCall | null = null,
): Promise<Finding> {
  const { account, store } = context
  if (account === null || store === null) throw new Refused('no_account', 'A write needs a wallet and its files.')
  const config = await store.config(account.address)
  const leaves = isWithdrawal(name)
  const destination = leaves ? await findDestination(context, config.withdrawalAddress) : null
  const row = typeof input.taskId === 'string' && !leaves ? await readTaskRow(context, input.taskId, input) : null
  const choices = earlierCall?.choices
  const preview = await previewWrite(context, name, input as WriteInput<typeof name>, {
    long,
    ...(choices !== undefined && { choices }),
  })
  if (preview.kind !== 'preview') {
    const { reason, message, ...extraFields } = preview as Extract<typeof preview, { kind: 'refused' }>
    throw new Refused(reason, message, extraFields)
  }
  const requestHash = await hashRequest(name, writes[name].path, { input, account })
  const { price, counted, assets, isActSimulated, call } = preview
  const unattendedSum = await store.update(account.address, (state) => unattendedToday(state, Date.now()))
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
    needsPerson: isPersonal(name) || assets.needsPerson || unattendedSum + counted > config.askAbove,
    assets: assets.clauses,
    isActSimulated,
    agreed: { call, choices: preview.choices },
  }
}

/**
 * Returns the wallet's configured withdrawal address, after a check that the service has registered the same address.
 * @throws Refused
 */
async function findDestination(context: ClientContext, configuredAddress: string | null): Promise<string> {
  if (configuredAddress === null || !isAddress(configuredAddress, { strict: false })) {
    throw new Refused(
      'no_withdrawal_address',
      'The wallet has no withdrawal address; a person sets it: task-market wallet set-withdrawal-address.',
    )
  }
  const query = { address: context.account?.address ?? '' }
  const answer = await readJson(context, '/api/wallet/withdrawal-address', query, withdrawalAddressShape)
  if (!answer.ok) throw new Refused('unreachable', answer.message)
  const { withdrawalAddress } = answer.body as { withdrawalAddress: unknown }
  if (String(withdrawalAddress).toLowerCase() === configuredAddress.toLowerCase()) return configuredAddress
  throw new Refused(
    'wrong_withdrawal_address',
    `${configuredAddress} is not the address that the service has registered.`,
  )
}
