import { expect, test } from 'vitest'
import { renderMarkdown } from '../../../web/docs/render-markdown.ts'
import { findSections, type SearchEntry } from '../../../web/islands/docs/find-sections.ts'

/** Knows one page. */
const resolve = (href: string) => (/^(?:\/docs\/learn\/|\.\.\/)?web\.md$/.test(href) ? '/docs/learn/web' : null)
const render = (text: string) => renderMarkdown(text, { resolve })

test.each([
  ['a link to a page', '[b](../web.md)', '<a href="/docs/learn/web">b</a>'],
  ['a name of a page', '`docs/learn/web.md`', '<a href="/docs/learn/web"><code>docs/learn/web.md</code></a>'],
  ['a name in a link', '[`docs/learn/web.md`](web.md)', '<a href="/docs/learn/web"><code>docs/learn/web.md</code></a>'],
  ['a link to another file', '[main](../api/main.ts)', 'main (<code>../api/main.ts</code>)'],
  ['HTML', 'a <img src=x onerror=alert(1)> b', 'a &lt;img src=x onerror=alert(1)&gt; b'],
  ['a comment', 'a <!-- kept --> b', 'a  b'],
  ['a link that is a script', '[x](javascript:alert)', 'x (<code>javascript:alert</code>)'],
])('given %s, then it is %s', (_, text, html) => {
  expect(render(text).html.trim()).toBe(`<p>${html}</p>`)
})

test('given headings with equal texts, then each has an anchor of its own, and the text below it', () => {
  const { sections } = render('# A `b`: c\n\none\n\n## Same\n\ntwo\n\n## Same\n\n- three\n- four\n')
  expect(sections).toEqual([
    { depth: 1, id: 'a-b-c', heading: 'A b: c', text: 'one' },
    { depth: 2, id: 'same', heading: 'Same', text: 'two' },
    { depth: 2, id: 'same-1', heading: 'Same', text: 'three four' },
  ])
})

const index: SearchEntry[] = [
  [
    '/docs/a',
    'Money',
    [
      ['money', 'Money', 'escrow reward'],
      ['refunds', 'Refunds', 'deadline escrow'],
    ],
  ],
  ['/docs/b', 'Vaults', [['vaults', 'Vaults', 'money refund refundable']]],
]

test.each([
  ['refund', ['/docs/a#refunds', '/docs/b']],
  ['the REFUNDS of a dead', ['/docs/a#refunds']],
  ['money', ['/docs/a', '/docs/a#refunds', '/docs/b']],
  ['refund nothing', []],
  [' ', []],
])('given the query %j, then the sections with all its words are found, titles before texts', (query, hrefs) => {
  expect(findSections(index, query).map(({ href }) => href)).toEqual(hrefs)
})
