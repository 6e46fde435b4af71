import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { readMarkup } from './in-page.mjs'

/** Characters that show nothing, or turn the text around them, as `web/html/text.ts` names them; joiners are part of words. */
const UNSEEN = /(?![\n\r\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029\u115f\u1160\u2800\u3164\uffa0]/gu

const TAGS = `"><img src=x onerror=alert(1)></title></textarea></script><script>alert(2)</script>`
const DIRECTIONS = '\u202egnp.exe\u202c \u2066a\u2069 \u200fשלום עולם\u200e العربية'
const CONTROLS = 'a\u0007\u001b[31mb\u0085c\u200bd\ufeffe\u2028f\u3164g\u2800h\ue000i'
const LINKS = [
  '[a](javascript:alert(3))',
  '![b](javascript:alert(4))',
  '<javascript:alert(5)>',
  '[c][label]',
  '[d](data:text/html,<script>alert(6)</script>)',
  '[e](JaVaScRiPt&#58;alert(7))',
  '[f](//evil.example/a "t" onmouseover=alert(8))',
  '[g](https://evil.example/\u202ea)',
  '&lt;b&gt;&#x3c;script&#x3e;',
].join(' ')

/** A short hostile text: one line that begins with `place`, which a test finds again. Example: `hostileName('a drop')`. */
export function hostileName(place: string): string {
  return `${place} ${TAGS} ${DIRECTIONS} ${CONTROLS} ${'W'.repeat(80)}`
}

/** A long hostile text of several lines, in Markdown. Its first line begins with `place`. */
export function hostileText(place: string): string {
  const containers = `${'> '.repeat(8)}quoted\n\n${Array.from({ length: 8 }, (_, depth) => `${'  '.repeat(depth)}- deep`).join('\n')}`
  const code = `\`\`\`html\n${TAGS}\n${'C'.repeat(500)}\n\`\`\``
  return `${hostileName(place)}\n\n${LINKS}\n\n${TAGS}\n\n${'W'.repeat(600)} ${'م'.repeat(300)}\n\n${containers}\n\n${code}\n\n[label]: javascript:alert(9)\n`
}

/** A hostile name of a file: a path upwards, another extension than it seems, markup, and no space in 150 characters. */
export function hostileFileName(place: string): string {
  return `../../${place}"><img src=x onerror=alert(1)>\u202efdp.${'f'.repeat(150)}.html`
}

/** Finds the characters of a text that are not seen, by their numbers. Example: `['U+202e']`. */
export function findUnseen(text: string): string[] {
  return (text.match(UNSEEN) ?? []).map((character) => `U+${character.codePointAt(0)?.toString(16)}`)
}

/**
 * Fails where a stranger's text has become markup or a link that runs, or shows characters that turn or hide others.
 * @returns every text of the page, those of attributes too
 */
export async function expectHarmless(page: Page): Promise<string> {
  const { handlers, foreign, schemes, leaving, texts } = await page.evaluate(readMarkup)
  expect({ handlers, foreign, leaving }).toEqual({ handlers: [], foreign: [], leaving: [] })
  expect(schemes.filter((scheme) => !['http:', 'https:', 'blob:'].includes(scheme))).toEqual([])
  expect(texts.flatMap(findUnseen)).toEqual([])
  return texts.join('\n')
}
