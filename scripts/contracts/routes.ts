import { operations } from '../../protocol/operations.ts'
import { ownOperations } from '../../protocol/own-operations.ts'
import type { EntryMode } from '../../protocol/relay.ts'

/**
 * The bits of each relay mode in a route's mask. The bits are those of `RelayMode` in
 * contracts/src/types/RelayTypes.sol. The mode `paid` has the bits of Paid and Prepaid, because a paid call may also be
 * relayed with a payment that was settled before. The bit of Paid also allows bound payments.
 */
const bitsOf: Readonly<Record<EntryMode, number>> = { paid: 1 | 2, signed: 4, open: 8 }

/** Codes of the suffix rules. They are those of `IPaymentForwarder.SuffixRule`. */
const suffixRules = { none: 0, round: 1, content: 2 } as const

/**
 * A function that the forwarder may call. `verb` is the word for the action in the message that a wallet signs, at most
 * 30 bytes. It is empty if no message is signed.
 */
export type Route = { functionName: string; relayModes: number; suffixRule: number; verb: string }

/** Describes a route in words. Example: `paid (mask 3); verb "", suffix rule none`. */
export function describeRoute({ relayModes, suffixRule, verb }: Omit<Route, 'functionName'>): string {
  if (relayModes === 0) return 'no route'
  const modes = Object.entries(bitsOf).flatMap(([mode, bits]) => ((relayModes & bits) === bits ? [mode] : []))
  const unknownBits = relayModes & ~Object.values(bitsOf).reduce((sum, bits) => sum | bits, 0)
  const rule = Object.entries(suffixRules).find(([, code]) => code === suffixRule)?.[0] ?? String(suffixRule)
  return `${modes.join(' and ')} (mask ${relayModes}${unknownBits === 0 ? '' : ', with unknown bits'}); verb "${verb}", suffix rule ${rule}`
}

/** The fields of an operation that decide its route. */
type RoutedEntry = {
  functionName: string
  modes: readonly EntryMode[]
  signed?: { verb: string; suffixRule: 'round' | 'content' }
}

/**
 * Routes to functions of the market. The specification ("Summary" of the endpoints) says which functions are paid,
 * which are signed, and which any account may call.
 */
export const marketRoutes: Route[] = routesOf(Object.values(operations).filter((entry) => entry.kind === 'market'))

/**
 * Routes to functions of the registrar (specification, "Agents and identity"). A registration and an adoption are paid.
 * For a wallet that registers a device with a signature, the service registers the agent without a payment.
 */
export const registrarRoutes: Route[] = routesOf([
  ...Object.values(operations).filter((entry) => entry.kind === 'registry'),
  { ...ownOperations['identity.mint'], modes: ['open'] },
])

/**
 * Routes to functions of the bonus hook. Any account may relay a withdrawal, because the hook checks the worker's own
 * signature. The service itself does not use this route: it calls the hook directly.
 */
export const bonusRoutes: Route[] = routesOf([
  { functionName: operations['wallet.withdrawToken'].functionName, modes: ['open'] },
])

/**
 * Routes to functions of the vault factory. The factory is one address for the claims from all vaults. Each vault
 * checks the worker's own signature.
 */
export const vaultFactoryRoutes: Route[] = routesOf([
  { functionName: operations['sponsoredTaskVaults.claim'].functionName, modes: ['open'] },
])

/**
 * Routes to functions of the sponsored-tasks hook. The service's keeper uses them. Any account may use them, because
 * the hook compares each call with the market's awards.
 */
export const vaultHookRoutes: Route[] = routesOf(
  [ownOperations['sponsoredTaskVaults.settle'], ownOperations['sponsoredTaskVaults.reconcile']].map((entry) => ({
    ...entry,
    modes: ['open'] as const,
  })),
)

/** Returns one route for each function. Two operations that call the same function share a route. */
function routesOf(entries: readonly RoutedEntry[]): Route[] {
  const routes = entries.map(({ functionName, modes, signed }) => ({
    functionName,
    relayModes: modes.reduce((bits, mode) => bits | bitsOf[mode], 0),
    suffixRule: suffixRules[signed?.suffixRule ?? 'none'],
    verb: signed?.verb ?? '',
  }))
  return [...new Map(routes.map((route) => [route.functionName, route])).values()]
}
