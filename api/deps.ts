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

/** Everything the service is made of. Each folder below the features declares the part that it needs. */
export interface Deps extends WriteDeps, Pick<RelayerDeps, 'relayer'> {
  /** Signed URLs of this service. */
  links: SignedUrls
  /** The policies, and whether writes need their acceptance. */
  legal: LegalPolicies
  /** SQL of analysts over the read model. */
  analytics: Analytics
  /** Files with all public rows. */
  exports: PublishedExports
  /** Changes of rows, as far as this process hears of them. */
  rowChanges: RowChanges
  /** Entity tags of details of tasks. */
  detailTags: DetailTags
  /** Requests that wait for another answer. */
  longPolls: LongPolls
  /** Streams of the log of changes. */
  events: EventHub
  /** Deliveries of entries of the log to URLs. */
  webhooks: Webhooks
  /** How far the read model is, for what answers say of themselves. */
  indexedHead: IndexedHeadWatch
  /** The gate that opens once the chain was seen to be ours. */
  chainGate: ChainGate
  /**
   * Ends the process in order, with exit code 1 and the reason in the log: with what was found now it would not have started.
   * Example: `end(new Error('the RPC URL leads to chain 1, the contracts are on chain 8453'))`
   */
  end(reason: Error): void
  /** Reads that replicas may answer: lists and details of tasks. */
  publicReads: PublicReads
  /** Listed tasks as JSON, kept while they stay the same. */
  taskFragments: TaskFragments
  /** Metrics and readiness. */
  observe: Observability
}
