function e(e){return e.replace(/[\p{Cc}\p{Cf}]/gu,e=>e===`
`||e===`	`||e===`\r`?e:`\\u${e.codePointAt(0)?.toString(16).padStart(4,`0`)??``}`)}export{e as t};