<?php

declare(strict_types=1);

require __DIR__ . '/../src/autoload.php';

/** Reads the vectors that all libraries share. */
function vectors(string $name): array
{
    return json_decode(file_get_contents(__DIR__ . "/../../vectors/$name.json"), true, 32, JSON_THROW_ON_ERROR);
}
