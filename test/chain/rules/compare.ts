import { admit, admitBy } from '../../../api/domain/actions/admit.ts'
import { objectToDelivery } from '../../../api/domain/actions/object.ts'
import type { Refusal } from '../../../api/domain/refusal.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import type { ChainRequest } from './requests.ts'
import { succeeds } from './succeeds.ts'

/** What rules and contract made of the same requests. */
export interface Comparison {
  disagreements: unknown[]
  /** How often they agreed on each answer: `<action> admitted` or `<action> <failure>`. */
  agreed: Map<string, number>
}

/** Lets rules and contract judge requests about tasks. */
export async function compare(
  chain: MarketChain,
  tasks: readonly TaskSnapshot[],
  requestsOf: (task: TaskSnapshot) => ChainRequest[],
): Promise<Comparison> {
  const disagreements: unknown[] = []
  const agreed = new Map<string, number>()
  for (const task of tasks) {
    for (const request of requestsOf(task)) {
      const refusal = refusalOf(task, request)
      const succeeded = await succeeds(chain, request)
      if ((refusal === null) !== succeeded) disagreements.push({ refusal, succeeded, request, task })
      const answer = `${request.action} ${refusal?.failure ?? 'admitted'}`
      agreed.set(answer, (agreed.get(answer) ?? 0) + 1)
    }
  }
  return { disagreements, agreed }
}

/** Actions that were admitted at least once, sorted. */
export function listAdmitted({ agreed }: Comparison): string[] {
  return [...agreed.keys()]
    .filter(isAdmitted)
    .map((answer) => answer.replace(' admitted', ''))
    .toSorted()
}

/** Reasons for which some request was refused, sorted. */
export function listRefusals({ agreed }: Comparison): string[] {
  const refused = [...agreed.keys()].filter((answer) => !isAdmitted(answer))
  return [...new Set(refused.map((answer) => answer.split(' ')[1] ?? ''))].toSorted()
}

function isAdmitted(answer: string): boolean {
  return answer.endsWith(' admitted')
}

function refusalOf(task: TaskSnapshot, request: ChainRequest): Refusal | null {
  const { action, ...rest } = request
  return action === 'object' ? admitBy(objectToDelivery, task, rest as never) : admit(action, task, rest as never)
}
