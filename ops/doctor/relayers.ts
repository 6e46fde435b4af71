import { formatEther } from 'viem'
import { listRefusedRelayers } from '../../api/chain/check-chain.ts'
import { mostGasOfACall } from '../../api/intents/hook-gas.ts'
import type { RelayerState } from '../../api/observability/sources.ts'
import { listRelayers } from '../../api/relayer/signers/open-relayers.ts'
import { readRelayerRunway } from '../../api/relayer/transactions/read-relayer-runway.ts'
import { readRelayerStates } from '../../api/relayer/transactions/read-relayer-states.ts'
import { createRelayerBalances } from '../../api/relayer/transactions/relayer-balances.ts'
import { defineCheck, type Observation } from './check.ts'
import { describeFailure } from './describe-failure.ts'

type Name = 'signer' | 'refused' | 'underfunded' | 'short_runway' | 'used_elsewhere'

/** The minimum number of days that a relayer's ether must last. A relayer with less is reported. */
const LEAST_DAYS = 7
/** Above this number of days, an estimate is printed as `more than a year`. */
const MOST_DAYS = 365

const digits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 })

/** The state of a relayer on the chain and in the database. */
export interface RelayerFacts extends Omit<RelayerState, 'signerFailures'> {
  isRefused: boolean
  /**
   * Estimated number of days that the relayer's ether lasts; null if the relayer sent no writes in the last seven days.
   */
  days: number | null
}

/** The doctor check for the relayers, which are the accounts that pay gas. */
export const relayersCheck = defineCheck<Name>({
  name: 'relayers',
  looksAt: 'each relayer: whether the forwarder takes its calls, its ether, the days that this lasts, its nonces',
  follows: ['database', 'logins', 'chain', 'settings'],
  faults: {
    signer: {
      result: 'wrong',
      meaning: '... names a signer that does not open',
      remedy: 'Look at the signer, and at what this machine may do with its key: docs/operate/keys.md.',
    },
    refused: {
      result: 'wrong',
      meaning: '... may not relay: the forwarder takes no call from it',
      remedy: 'Allow it as the owner of the forwarder (npm run relayer -- add ADDRESS), or use the key of a relayer.',
    },
    underfunded: {
      result: 'wrong',
      meaning: '... has too little ether for one more write',
      remedy: 'Send ether to it. A write is refused while no relayer has enough.',
    },
    short_runway: {
      result: 'warning',
      meaning: `... has ether for less than ${LEAST_DAYS} days`,
      remedy: 'Send ether to it.',
    },
    used_elsewhere: {
      result: 'warning',
      meaning: '... has sent transactions that are not of this service',
      remedy: 'Give the other program a key of its own. The service continues after the nonce of the chain.',
    },
    no_answer: {
      result: 'wrong',
      meaning: 'the relayers could not be read',
      remedy: 'Look at the load of the node and of the database, and run doctor again.',
    },
  },
  find: async (context) => {
    const { config, database } = context
    const { RELAYER_KEYS = [], RELAYER_SIGNERS = [], cloud = {} } = config ?? {}
    if (config === null || RELAYER_KEYS.length + RELAYER_SIGNERS.length === 0)
      return [{ unchecked: 'no relayer is set here' }]
    const accounts = await listRelayers({ RELAYER_KEYS, RELAYER_SIGNERS, cloud }).catch(describeFailure)
    if (typeof accounts === 'string') return [{ fault: 'signer', of: 'RELAYER_SIGNERS', detail: accounts }]
    const chainAccess = await context.openChain().catch(() => null)
    if (chainAccess === null || database === null)
      return [{ unchecked: 'no node, no deployment or no database is set here' }]
    if (!(await context.hasTables())) return [{ unchecked: 'the first start of the service makes its tables' }]
    const { chain, nodes, deployment } = chainAccess
    const balances = createRelayerBalances(accounts, mostGasOfACall(BigInt(config.MAX_RELAY_GAS)))
    const relayers = accounts.map(({ address }) => address)
    const [states, refusedAddresses] = await Promise.all([
      readRelayerStates(database, chain, { accounts, balances }),
      listRefusedRelayers({ nodes, deployment, relayers }),
    ])
    const runways = await readRelayerRunway(database, states)
    return judgeRelayers(
      states.map((state) => ({
        ...state,
        isRefused: refusedAddresses.includes(state.address),
        days: runways.find(({ address }) => address === state.address)?.days ?? null,
      })),
    )
  },
})

/**
 * Checks whether each relayer may relay, has enough ether, and is used only by this service. The observation of a
 * relayer without a fault contains its ether and the days that the ether lasts.
 */
export function judgeRelayers(facts: readonly RelayerFacts[]): Observation<Name>[] {
  return facts.flatMap(({ address, balanceWei, isUnderfunded, isRefused, days, nextNonce, minedNonce }) => {
    const ether = `${digits.format(Number(formatEther(balanceWei)))} ETH`
    // A relayer has no nonce in the database before its first write.
    const isUsedElsewhere = nextNonce > 0n && minedNonce > nextNonce
    const faults: (Observation<Name> | false)[] = [
      isRefused && { fault: 'refused', of: address },
      isUnderfunded && { fault: 'underfunded', of: address, detail: ether },
      !isUnderfunded &&
        days !== null &&
        days < LEAST_DAYS && { fault: 'short_runway', of: address, detail: `${describeDays(days)}, ${ether}` },
      isUsedElsewhere && {
        fault: 'used_elsewhere',
        of: address,
        detail: `its next nonce is ${minedNonce} on the chain and ${nextNonce} in the database`,
      },
    ]
    const presentFaults = faults.filter((fault) => fault !== false)
    return presentFaults.length > 0 ? presentFaults : [{ ok: `${address}: allowed, ${ether}, ${describeDays(days)}` }]
  })
}

function describeDays(days: number | null): string {
  if (days === null) return 'no writes in the last 7 days'
  if (days > MOST_DAYS) return 'lasts more than a year'
  return days < 1 ? 'lasts less than a day' : `lasts ${Math.floor(days)} ${days < 2 ? 'day' : 'days'}`
}
