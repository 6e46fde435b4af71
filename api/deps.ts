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

/** The parts of the service. Each folder below the features declares the parts that it uses. */
export interface Deps extends WriteDeps, Pick<RelayerDeps, 'relayer'> {
  /** The signer of this service's URLs. */
  links: SignedUrls
  /** The policies, and the requirement of their acceptance for writes. */
  legal: LegalPolicies
  /** The SQL service for analysts over the read model. */
  analytics: Analytics
  /** The published files with all public rows. */
  exports: PublishedExports
  /** The notifications of changed rows to this process. */
  rowChanges: RowChanges
  /** The entity tags of task details. */
  detailTags: DetailTags
  /** The requests that wait for another answer. */
  longPolls: LongPolls
  /** The streams of the log of changes. */
  events: EventHub
  /** The deliveries of log entries to URLs. */
  webhooks: Webhooks
  /** The progress of the read model, which answers report. */
  indexedHead: IndexedHeadWatch
  /** The gate that opens once the chain is verified. */
  chainGate: ChainGate
  /**
   * Ends the process in order, with exit code 1 and the reason in the log, for a fault that would have prevented its
   * start. Example: `end(new Error('the RPC URL leads to chain 1, the contracts are on chain 8453'))`
   */
  end(reason: Error): void
  /** The reads that replicas may answer: lists and details of tasks. */
  publicReads: PublicReads
  /** The cached JSON of listed tasks. */
  taskFragments: TaskFragments
  /** The metrics and readiness. */
  observe: Observability
}
