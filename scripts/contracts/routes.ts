import { operations } from '../../protocol/operations.ts'
import { ownOperations } from '../../protocol/own-operations.ts'
import type { EntryMode } from '../../protocol/relay.ts'

/**
 * Bits of a route's mask of relay modes, as in `RelayMode` of contracts/src/types/RelayTypes.sol. A paid call may also be relayed
 * with a settled payment; the bit of Paid allows bound payments.
 */
const bitsOf: Readonly<Record<EntryMode, number>> = { paid: 1 | 2, signed: 4, open: 8 }

/** Suffix rules, as in IPaymentForwarder.SuffixRule. */
const suffixRules = { none: 0, round: 1, content: 2 } as const

/**
 * A function that the forwarder may call. `verb` is the word of the signed message: empty without a signature, at most 30 bytes.
 */
export type Route = { functionName: string; relayModes: number; suffixRule: number; verb: string }

/** Describes a route in words. Example: `paid; verb "", suffix rule none`. */
export function describeRoute({ relayModes, suffixRule, verb }: Omit<Route, 'functionName'>): string {
  if (relayModes === 0) return 'no route'
  const modes = Object.entries(bitsOf).flatMap(([mode, bits]) => ((relayModes & bits) === bits ? [mode] : []))
  const unknownBits = relayModes & ~Object.values(bitsOf).reduce((sum, bits) => sum | bits, 0)
  const rule = Object.entries(suffixRules).find(([, code]) => code === suffixRule)?.[0] ?? String(suffixRule)
  return `${modes.join(' and ')} (mask ${relayModes}${unknownBits === 0 ? '' : ', with unknown bits'}); verb "${verb}", suffix rule ${rule}`
}

/** An operation, as far as its route follows from it. */
type RoutedEntry = {
  functionName: string
  modes: readonly EntryMode[]
  signed?: { verb: string; suffixRule: 'round' | 'content' }
}

/** Spec, "Summary" of the endpoints: what is paid, what is signed, what any account may ask for. */
export const marketRoutes: Route[] = routesOf(Object.values(operations).filter((entry) => entry.kind === 'market'))

/**
 * Spec, "Agents and identity": a registration is paid, and so is an adoption. The service
 * registers wallets of signed devices without a payment.
 */
export const registrarRoutes: Route[] = routesOf([
  ...Object.values(operations).filter((entry) => entry.kind === 'registry'),
  { ...ownOperations['identity.mint'], modes: ['open'] },
])

/**
 * Routes of the bonus hook. Any account may send a withdrawal, because the hook checks the worker's own signature. The service
 * sends it to the hook directly.
 */
export const bonusRoutes: Route[] = routesOf([
  { functionName: operations['wallet.withdrawToken'].functionName, modes: ['open'] },
])

/** Routes of the factory: one address for the claims of all vaults, each of which checks the worker's own signature. */
export const vaultFactoryRoutes: Route[] = routesOf([
  { functionName: operations['sponsoredTaskVaults.claim'].functionName, modes: ['open'] },
])

/**
 * Routes of the vaults' hook that any account may use, and that the keeper uses: the hook compares them with the awards of the
 * market.
 */
export const vaultHookRoutes: Route[] = routesOf(
  [ownOperations['sponsoredTaskVaults.settle'], ownOperations['sponsoredTaskVaults.reconcile']].map((entry) => ({
    ...entry,
    modes: ['open'] as const,
  })),
)

/** One route for each function; two operations of one function share it. */
function routesOf(entries: readonly RoutedEntry[]): Route[] {
  const routes = entries.map(({ functionName, modes, signed }) => ({
    functionName,
    relayModes: modes.reduce((bits, mode) => bits | bitsOf[mode], 0),
    suffixRule: suffixRules[signed?.suffixRule ?? 'none'],
    verb: signed?.verb ?? '',
  }))
  return [...new Map(routes.map((route) => [route.functionName, route])).values()]
}
