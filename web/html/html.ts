import type { html } from 'hono/html'

/** A piece of a page: everything that a template got was escaped. */
export type Html = ReturnType<typeof html>

/** A child of a template; nothing is shown for null and undefined. */
export type Child = Html | string | number | null | undefined | readonly Child[]
