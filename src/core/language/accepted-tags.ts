/** Tags of `Accept-Language` by their weight (RFC 9110 §12.5.4). */
export const acceptedTags = (header: string): string[] =>
  header
    .split(',', 50)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((one) => one.trim())
      const weight = parameters.find((one) => /^q=/i.test(one))
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ weight }) => weight > 0 && weight <= 1)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
