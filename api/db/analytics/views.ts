/** A view of the schema `analytics`; its query is `<name>.sql` in this folder, its texts are `<name>.json`. */
export interface AnalyticsView {
  name: string
  /** The column that distinguishes its rows; null: no single one does. */
  key: string | null
  /** Its conditions hide rows, so that no function of a reader may be called with them. */
  hidesRows: boolean
}

/** The views in the order of their creation: a view reads `market` and the views before it. */
export const analyticsViews: readonly AnalyticsView[] = [
  { name: 'operation', key: 'selector', hidesRows: false },
  { name: 'event_kind', key: 'name', hidesRows: false },
  { name: 'ledger', key: 'id', hidesRows: false },
  { name: 'task', key: 'id', hidesRows: true },
  { name: 'event', key: 'id', hidesRows: false },
  { name: 'award', key: 'id', hidesRows: false },
  { name: 'submission', key: 'id', hidesRows: false },
  { name: 'daily_market', key: 'day', hidesRows: false },
  { name: 'daily_mode', key: null, hidesRows: false },
  { name: 'daily_flow', key: null, hidesRows: false },
  { name: 'daily_balance', key: null, hidesRows: false },
]

/** The comment of the schema. */
export const ANALYTICS_ABOUT =
  'Views for people, over those of the schema market: times as timestamptz, amounts in units beside base units, words for ' +
  'codes. This is the surface that stays when what it is made from changes.'

/** Raised with every change of a view or of a text: a process of a release before leaves the views of a later one as they are. */
export const ANALYTICS_VERSION = 4
