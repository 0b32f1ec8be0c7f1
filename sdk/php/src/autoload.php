<?php

declare(strict_types=1);

/** Loads the classes of this library without Composer: require 'src/autoload.php'. */
spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Hengfu\\')) {
        return;
    }
    $file = __DIR__ . '/' . str_replace('\\', '/', substr($class, strlen('Hengfu\\'))) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
