import type { html } from 'hono/html'

/** A part of a page as HTML, in which every inserted value is escaped. */
export type Html = ReturnType<typeof html>

/** A value that can be inserted into a template. Null and undefined render nothing. */
export type Child = Html | string | number | null | undefined | readonly Child[]
