/**
 * A view of the schema `analytics`. In this folder, `<name>.sql` has the view's query, and `<name>.json` has the
 * descriptions.
 */
export interface AnalyticsView {
  name: string
  /** The column whose value identifies a row of the view; null if no single column does. */
  key: string | null
  /**
   * True if the view hides some rows from its readers. PostgreSQL then checks the rows first (`security_barrier`), so a
   * function in a reader's query never receives values of a hidden row.
   */
  hidesRows: boolean
}

/** The views in the order of their creation. A view may read earlier views and the views of the schema `market`. */
export const analyticsViews: readonly AnalyticsView[] = [
  { name: 'operation', key: 'selector', hidesRows: false },
  { name: 'event_kind', key: 'name', hidesRows: false },
  { name: 'ledger', key: 'id', hidesRows: false },
  { name: 'task', key: 'id', hidesRows: false },
  { name: 'event', key: 'id', hidesRows: false },
  { name: 'entry', key: 'id', hidesRows: false },
  { name: 'claim', key: 'id', hidesRows: false },
  { name: 'pitch', key: 'id', hidesRows: false },
  { name: 'bid', key: 'id', hidesRows: false },
  { name: 'submission', key: 'id', hidesRows: false },
  { name: 'proof', key: 'id', hidesRows: false },
  { name: 'evaluation', key: 'task_id', hidesRows: false },
  { name: 'verdict_award', key: 'id', hidesRows: false },
  { name: 'award', key: 'id', hidesRows: false },
  { name: 'rating', key: 'id', hidesRows: false },
  { name: 'agent', key: 'address', hidesRows: false },
  { name: 'skill', key: 'id', hidesRows: false },
  { name: 'relay', key: 'intent_id', hidesRows: false },
  { name: 'credit', key: 'account', hidesRows: false },
  { name: 'market_event', key: 'ordinal', hidesRows: false },
  { name: 'bonus_programme', key: null, hidesRows: false },
  { name: 'bonus', key: 'id', hidesRows: false },
  { name: 'bonus_account', key: 'account', hidesRows: false },
  { name: 'vault', key: 'vault_id', hidesRows: false },
  { name: 'vault_charge', key: 'id', hidesRows: false },
  { name: 'vault_claim', key: 'id', hidesRows: false },
  { name: 'vault_epoch', key: 'id', hidesRows: false },
  { name: 'requester_reliability', key: 'requester', hidesRows: false },
  { name: 'worker_economics', key: 'worker', hidesRows: false },
  { name: 'worker_earning', key: null, hidesRows: false },
  { name: 'requester_cohort', key: null, hidesRows: false },
  { name: 'worker_cohort', key: null, hidesRows: false },
  { name: 'daily_market', key: 'day', hidesRows: false },
  { name: 'daily_mode', key: null, hidesRows: false },
  { name: 'daily_flow', key: null, hidesRows: false },
  { name: 'daily_balance', key: null, hidesRows: false },
]

/** The text that is stored in the database as the comment of the schema `analytics`. */
export const ANALYTICS_ABOUT =
  'Views for people, over those of the schema market: times as timestamptz, amounts in units beside base units, words for ' +
  'codes. This is the surface that stays when what it is made from changes.'

/**
 * The version of the views. Raise it with every change of a view or description. An older release does not change newer
 * views.
 */
export const ANALYTICS_VERSION = 8
