/** A view of the schema `analytics`; its query is `<name>.sql` in this folder. */
export interface AnalyticsView {
  name: string
  /** Its conditions hide rows, so that no function of a reader may be called with them. */
  hidesRows: boolean
}

/** The views in the order of their creation: a view reads `market` and the views before it. */
export const analyticsViews: readonly AnalyticsView[] = [{ name: 'ledger', hidesRows: false }]

/** Raised with every change of a view: a process of a release before leaves the views of a later one as they are. */
export const ANALYTICS_VERSION = 1
