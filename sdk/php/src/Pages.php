<?php

declare(strict_types=1);

namespace Hengfu;

/**
 * Lists of the Open API.
 *
 * @internal
 */
final class Pages
{
    /**
     * @param array<string, string|int|list<string>|null> $filters several values are sent separated by commas; an empty list
     *     selects all
     * @return \Generator<int, array<string, mixed>>
     */
    public static function read(Transport $transport, string $path, array $filters): \Generator
    {
        $given = array_filter($filters, static fn ($value) => $value !== []);
        $query = array_map(static fn ($value) => is_array($value) ? implode(',', $value) : $value, $given);
        $cursor = null;
        do {
            $page = $transport->send('GET', $path, [...$query, 'cursor' => $cursor]);
            foreach ($page['items'] as $item) {
                yield $item;
            }
            $cursor = $page['next_cursor'];
        } while ($cursor !== null);
    }

    /**
     * @param list<string>|null $status
     * @return array<string, string|int|list<string>|null>
     */
    public static function filters(
        ?array $status,
        ?\DateTimeInterface $createdFrom,
        ?\DateTimeInterface $createdTo,
        ?int $limit,
    ): array {
        $instant = static fn (?\DateTimeInterface $at): ?string => $at === null
            ? null
            : \DateTimeImmutable::createFromInterface($at)
                ->setTimezone(new \DateTimeZone('UTC'))
                ->format('Y-m-d\TH:i:s.v\Z');

        return [
            'status' => $status,
            'created_from' => $instant($createdFrom),
            'created_to' => $instant($createdTo),
            'limit' => $limit,
        ];
    }
}
