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

/** The logs of a transaction, and the contract among their senders whose word counts. */
export interface MarketLogs {
  target: Address
  logs: readonly Log<bigint, number, false>[]
}

/**
 * The arguments of the first event of this name that the market itself logged.
 * @throws when there is none: the call did something else than it was made for
 */
export function getMarketEvent<Name extends MarketEvent>({ target, logs }: MarketLogs, eventName: Name) {
  const own = logs.filter(({ address }) => isAddressEqual(address, target))
  const [event] = parseEventLogs({ abi: taskMarketAbi, eventName, logs: [...own] })
  if (event === undefined) throw new Error(`the transaction has no ${eventName} of ${target}`)
  return event.args as ContractEventArgsFromTopics<typeof taskMarketAbi, Name>
}
