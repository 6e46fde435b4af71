import type { html } from 'hono/html'

/** A piece of a page, with every value escaped. */
export type Html = ReturnType<typeof html>

/** A child of a template. Null and undefined show nothing. */
export type Child = Html | string | number | null | undefined | readonly Child[]
