import { type Address, type GetLogsReturnType, getAbiItem, type Hex, isAddressEqual } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { ReadClient } from '../chain.ts'
import { BLOCKS_AT_ONCE } from '../register-service.ts'
import { describeRoute } from '../routes.ts'

/** The last change of one setting of the market or the forwarder. */
export interface SettingChange {
  /** Value of the setting since this change, in the words of `Step.expected`. */
  value: string
  /** Block and transaction of the change. Example: `in block 12, transaction 0x…`. */
  where: string
  /**
   * True if the recorded owner made this change. Only a contract's owner changes settings, so it is true if the
   * recorded owner had become the contract's owner in an earlier transaction.
   */
  isByOwner: boolean
}

/** The last change of each setting. Example of keys: `feeBps`, `relayer <address>`, `route <target> <selector>`. */
export type SettingChanges = Map<string, SettingChange>

const events = [
  getAbiItem({ abi: paymentForwarderAbi, name: 'RelayerSet' }),
  getAbiItem({ abi: paymentForwarderAbi, name: 'RouteSet' }),
  getAbiItem({ abi: paymentForwarderAbi, name: 'GuardianSet' }),
  getAbiItem({ abi: taskMarketAbi, name: 'OwnershipTransferred' }),
  getAbiItem({ abi: taskMarketAbi, name: 'FeeUpdated' }),
  getAbiItem({ abi: taskMarketAbi, name: 'FeeRecipientUpdated' }),
  getAbiItem({ abi: taskMarketAbi, name: 'RegistryUpdated' }),
  getAbiItem({ abi: taskMarketAbi, name: 'Paused' }),
  getAbiItem({ abi: taskMarketAbi, name: 'DefaultHooksSet' }),
] as const

/**
 * Reads the changes of settings from the logs of the market and the forwarder. Only logs show who made a change, and
 * which relayers and routes exist that the plan does not contain.
 * @param options.say receives a line while logs are read, which takes long on an old chain
 */
export async function readSettingChanges(
  client: ReadClient,
  { market, forwarder }: { market: Address; forwarder: Address },
  { owner, from, say }: { owner: Address; from: bigint; say: (line: string) => void },
): Promise<SettingChanges> {
  const changes: SettingChanges = new Map()
  /**
   * Transactions by contract, for the contracts that the recorded owner owns at this point of the logs. In such a
   * transaction, this account became the contract's owner.
   */
  const acceptances = new Map<string, string>()
  const head = await client.getBlockNumber({ cacheTime: 0 })
  for (let first = from; first <= head; first += BLOCKS_AT_ONCE) {
    const last = first + BLOCKS_AT_ONCE - 1n
    if (head - from > BLOCKS_AT_ONCE) say(`reading the logs of the settings: block ${first} of ${head}`)
    const range = { fromBlock: first, toBlock: last < head ? last : head }
    for (const log of await client.getLogs({ address: [market, forwarder], events, strict: true, ...range })) {
      if (log.eventName === 'OwnershipTransferred') {
        if (isAddressEqual(log.args.newOwner, owner)) acceptances.set(log.address, log.transactionHash)
        else acceptances.delete(log.address)
        continue
      }
      const acceptance = acceptances.get(log.address)
      const change = {
        where: `in block ${log.blockNumber}, transaction ${log.transactionHash}`,
        // A constructor makes the first owner and the first settings in one transaction.
        isByOwner: acceptance !== undefined && acceptance !== log.transactionHash,
      }
      for (const [setting, value] of listValues(log)) changes.set(setting, { value, ...change })
    }
  }
  return changes
}

/** Returns the key of a relayer in `SettingChanges`. Example: `relayer 0x14dc…`. */
export function relayerSetting(relayer: Address): string {
  return `relayer ${relayer}`.toLowerCase()
}

/** Returns the key of a route in `SettingChanges`. Example: `route 0x9fe4… 0x1234abcd`. */
export function routeSetting({ target, selector }: { target: Address; selector: Hex }): string {
  return `route ${target} ${selector}`.toLowerCase()
}

type AnyLog = GetLogsReturnType<undefined, typeof events, true>[number]
type SettingLog = Exclude<AnyLog, { eventName: 'OwnershipTransferred' }>

function listValues(log: SettingLog): [setting: string, value: string][] {
  switch (log.eventName) {
    case 'RelayerSet':
      return [[relayerSetting(log.args.relayer), log.args.allowed ? 'may relay' : 'may not relay']]
    case 'RouteSet':
      return [[routeSetting(log.args), describeRoute(log.args)]]
    case 'GuardianSet':
      return [['guardian', log.args.guardian]]
    case 'FeeUpdated':
      return [['feeBps', String(log.args.feeBps)]]
    case 'FeeRecipientUpdated':
      return [['feeRecipient', log.args.recipient]]
    case 'RegistryUpdated':
      return [
        ['identityRegistry', log.args.identityRegistry],
        ['reputationRegistry', log.args.reputationRegistry],
      ]
    case 'Paused':
      return [['paused', 'true']]
    case 'DefaultHooksSet':
      return [['defaultHooks', log.args.hooks.join(', ')]]
  }
}
