import {
  type Address,
  type ContractEventArgsFromTopics,
  type ContractEventName,
  isAddressEqual,
  type Log,
  parseEventLogs,
} from 'viem'
import { taskMarketAbi } from '../../abis/task-market.ts'

type MarketEvent = ContractEventName<typeof taskMarketAbi>

/**
 * The logs of a transaction, and the contract (`target`) whose events are read. Logs of all other contracts are
 * ignored.
 */
export interface MarketLogs {
  target: Address
  logs: readonly Log<bigint, number, false>[]
}

/**
 * Returns the arguments of the market's first event with this name.
 * @throws when the event is missing; the call then did not have the expected effect
 */
export function getMarketEvent<Name extends MarketEvent>({ target, logs }: MarketLogs, eventName: Name) {
  const marketLogs = logs.filter(({ address }) => isAddressEqual(address, target))
  const [event] = parseEventLogs({ abi: taskMarketAbi, eventName, logs: [...marketLogs] })
  if (event === undefined) throw new Error(`the transaction has no ${eventName} of ${target}`)
  return event.args as ContractEventArgsFromTopics<typeof taskMarketAbi, Name>
}
