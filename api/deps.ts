import type { Analytics } from './analytics/analytics.ts'
import type { SignedUrls } from './artifacts/storage/signed-urls.ts'
import type { ChainGate } from './chain/chain-gate.ts'
import type { EventHub } from './events/event-hub.ts'
import type { Webhooks } from './events/webhooks/webhooks.ts'
import type { PublishedExports } from './exports/published-exports.ts'
import type { DetailTags } from './features/tasks/detail-tags.ts'
import type { TaskFragments } from './features/tasks/list/task-fragments.ts'
import type { LongPolls } from './http/long-polls.ts'
import type { Observability } from './observability/observability.ts'
import type { PublicReads } from './read-model/replicas/public-reads.ts'
import type { RowChanges } from './read-model/row-changes.ts'
import type { IndexedHeadWatch } from './read-model/watch-indexed-head.ts'
import type { RelayerDeps } from './relayer/transactions/relay-context.ts'
import type { LegalPolicies } from './writes/legal-acceptance.ts'
import type { WriteDeps } from './writes/write-deps.ts'

/** The parts of the service. Each folder outside `features` declares the parts that it uses. */
export interface Deps extends WriteDeps, Pick<RelayerDeps, 'relayer'> {
  /** Signs and checks URLs of this service. */
  links: SignedUrls
  /** The policies, and whether writes require their acceptance. */
  legal: LegalPolicies
  /** Runs SQL queries of analysts over the read model. */
  analytics: Analytics
  /** The published files with all public rows. */
  exports: PublishedExports
  /** Watches the notifications of changed rows. */
  rowChanges: RowChanges
  /** The entity tags of answers with a task's details. */
  detailTags: DetailTags
  /** Counts the long polls: requests that wait until their answer changes. */
  longPolls: LongPolls
  /** Serves the streams of the event log. */
  events: EventHub
  /** Delivers entries of the event log to URLs. */
  webhooks: Webhooks
  /** The newest indexed block. Answers tell clients this block. */
  indexedHead: IndexedHeadWatch
  /** Refuses the use of the chain until the chain and its contracts are verified. */
  chainGate: ChainGate
  /**
   * Ends the process as at a normal stop, but with exit code 1 and the reason in the log. It is for faults that would
   * have prevented the start.
   *
   * Example: `end(new Error('the RPC URL leads to chain 1, the contracts are on chain 8453'))`
   */
  end(reason: Error): void
  /** Runs the reads that replicas may answer: lists and details of tasks. */
  publicReads: PublicReads
  /** The cached JSON of the tasks in lists. */
  taskFragments: TaskFragments
  /** The metrics, traces and readiness of the service. */
  observe: Observability
}
