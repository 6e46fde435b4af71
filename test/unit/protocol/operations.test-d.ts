import { catalogue } from '../../../protocol/catalogue.ts'
import { encodeCall, normalise } from '../../../protocol/derive.ts'
import { marketCall, usdcCall, vaultCall } from '../../../protocol/kinds.ts'
import type { CallContext } from '../../../protocol/operation.ts'
import { cancelTask } from '../../../protocol/operations/cancel-task.ts'
import { claimReward } from '../../../protocol/operations/claim-reward.ts'
import { withdraw } from '../../../protocol/operations/withdraw.ts'

/** Never called: the compiler is the test. */
export function misuse(context: CallContext<'reward' | 'deliverables'>): void {
  const { example } = catalogue['tasks.accept']
  const accepted = normalise('tasks.accept', example)
  encodeCall('tasks.accept', accepted, context)

  // @ts-expect-error there is no such operation
  normalise('tasks.acept', example)
  // @ts-expect-error a worker is a text
  normalise('tasks.accept', { ...example, worker: 5 })
  // @ts-expect-error the worker is missing
  normalise('tasks.accept', { taskId: example.taskId })
  // @ts-expect-error the input of another operation
  encodeCall('tasks.acceptSubmissions', accepted, context)
  // @ts-expect-error a fact is missing
  encodeCall('tasks.accept', accepted, { ...context, facts: { reward: 1n } })
  // @ts-expect-error the market has no such function
  marketCall('cancelTasks')
  // @ts-expect-error the function takes an id alone
  marketCall('cancelTask')({ ...cancelTask, args: ({ taskId }) => [taskId, 1n] })
  const { ownerSigned: _, ...unsigned } = claimReward
  // @ts-expect-error a call that any account may submit is signed
  vaultCall('claimTo')(unsigned)
  // @ts-expect-error the signature of an authorization is one value: contract wallets have no parts v, r and s
  usdcCall('transferWithAuthorization')({ ...withdraw, args: () => ['0x', '0x', 0n, 0n, 0n, '0x', 27, '0x', '0x'] })
}
