import type { Abi, Address, Hex } from 'viem'
import { identityRegistrarAbi, sponsoredTasksHookAbi } from './abi.ts'
import { type Arguments, encoderOf, type Writable } from './encoder.ts'
import type { OperationGas } from './listing.ts'
import type { CallDeployment } from './operation.ts'
import type { ContractCall } from './relay.ts'

const registrarCall = callsOf({ abi: identityRegistrarAbi, contract: 'identityRegistrar' })
const vaultHookCall = callsOf({ abi: sponsoredTasksHookAbi, contract: 'sponsoredTasksHook' })

/**
 * The awards of a task as the market stores them. `workers` and `amounts` have the same order. Amounts are USDC base
 * units.
 */
interface SettledAwards {
  taskId: Hex
  workers: readonly Address[]
  amounts: readonly bigint[]
}

const awardArgs = ({ taskId, workers, amounts }: SettledAwards) => [taskId, workers, amounts] as const
// The limits of these calls are in docs/build/vaults.md.
const settlementGas = { typicalGas: 200_000, gasCeiling: 3_000_000 }

/**
 * Mints an ERC-8004 agent id for a wallet that registered a device. The wallet signed the registration of the device.
 * Each call counts against the service's limits on mints.
 * Example: `mintIdentity.call({ wallet: '0xa1..' }, deployment)` calls `registerFor(0xa1..)` of the registrar.
 */
export const mintIdentity = registrarCall('registerFor')({
  name: 'identity.mint',
  args: ({ wallet }: { wallet: Address }) => [wallet],
  gas: { typicalGas: 420_000, gasCeiling: 700_000 },
})

/**
 * Lets the workers of a task claim the reward that the vault has credited to them.
 * Example: `settleVault.call({ taskId: '0x9f..', workers: ['0xa1..'], amounts: [2_000_000n] }, deployment)`.
 */
export const settleVault = vaultHookCall('installSettlement')({
  name: 'sponsoredTaskVaults.settle',
  args: awardArgs,
  gas: settlementGas,
})

/**
 * Reports the end of a task to the vault that pays the reward. Needed only if the hook failed to report the end.
 * Example: `reconcileVault.call({ taskId: '0x9f..', workers: [], amounts: [] }, deployment)` for a cancelled task.
 */
export const reconcileVault = vaultHookCall('reconcile')({
  name: 'sponsoredTaskVaults.reconcile',
  args: awardArgs,
  gas: settlementGas,
})

/** Calls that the service makes without a request, by their names. The mode of each call is `open`. */
export const ownOperations = {
  [settleVault.name]: settleVault,
  [reconcileVault.name]: reconcileVault,
  [mintIdentity.name]: mintIdentity,
}

/** The name of a call that the service makes without a request. */
export type OwnOperationName = keyof typeof ownOperations

interface OwnEntry<A extends Abi, FunctionName extends Writable<A>, Name extends string, Input> {
  name: Name
  args: (input: Input) => Arguments<A, FunctionName>
  gas: OperationGas
}

function callsOf<const A extends Abi>({
  abi,
  contract,
}: {
  abi: A
  contract: 'identityRegistrar' | 'sponsoredTasksHook'
}) {
  return <const FunctionName extends Writable<A>>(functionName: FunctionName) => {
    const encode = encoderOf(abi, functionName)
    return <const Name extends string, Input>({ name, args, gas }: OwnEntry<A, FunctionName, Name, Input>) => ({
      kind: 'registry' as const,
      functionName,
      name,
      gas,
      /** Builds the contract call of the operation. @throws Error if the deployment does not have the contract */
      call: (input: Input, deployment: CallDeployment): Pick<ContractCall, 'target' | 'data'> => {
        const target = deployment[contract]
        if (target === undefined) throw new Error(`the deployment has no ${contract}`)
        return { target, data: encode(args(input)) }
      },
    })
  }
}
